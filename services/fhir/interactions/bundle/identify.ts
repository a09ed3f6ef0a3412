import { incorrect } from '../../../../packages/faults/fault.ts'
import type { AccessConditions } from '../../scopes/access.ts'
import type { MatchedVersion } from '../../search/engine.ts'
import { criteriaOf, type Criteria } from '../../store/criteria.ts'
import type { ClaimingQuestion } from '../../store/locked-matches.ts'
import { manyMatch } from '../../store/place.ts'
import type { InteractionDeps } from '../deps.ts'
import { requireRight, requireType } from '../require-right.ts'
import { requireCriteria } from '../changes.ts'
import { atEntry } from './at-entry.ts'
import type { EntryRequest } from './entry-request.ts'
import { isWritable } from './place.ts'

/** An entry that knows which resource it is about. */
export interface IdentifiedEntry {
  readonly entry: EntryRequest
  /** Undefined: the criteria of a delete or a patch found nothing. */
  readonly id: string | undefined
  /** The criteria found it: it is there and locked. */
  readonly isMatch: boolean
  /** What it was looked for by; undefined for what is named or new. */
  readonly criteria: Criteria | undefined
  /** Its links already lead to the ids of this server. */
  readonly resource: unknown
}

/** What has to be found before every entry knows its resource; undefined for an entry that names it or makes a new one. */
interface AskedEntry {
  readonly entry: EntryRequest
  readonly question: ClaimingQuestion | undefined
}

export function askedEntries(
  entries: readonly EntryRequest[],
  access: AccessConditions,
  deps: Pick<InteractionDeps, 'definitions'>,
): AskedEntry[] {
  const urns = new Set(entries.flatMap(({ fullUrl = '' }) => (fullUrl.startsWith('urn:') ? [fullUrl] : [])))
  const asked = entries.map((entry) => ({ entry, question: questionOf(entry, { access, urns }, deps) }))
  checkDistinct(asked)
  return asked
}

/** Gives every entry that writes its resource's id, before anything is written: others may refer to it. */
export function identify(
  asked: readonly AskedEntry[],
  found: readonly (readonly MatchedVersion[])[],
  deps: Pick<InteractionDeps, 'ids'>,
): IdentifiedEntry[] {
  let position = 0
  const identified = asked.map(({ entry, question }) => {
    const { resource } = entry
    const criteria = question?.criteria
    const [match, second] = question === undefined ? [] : (found[position++] ?? [])
    if (second !== undefined) throw atEntry(manyMatch(), entry.index)
    if (match !== undefined) return { entry, id: match.id, isMatch: true, criteria, resource }
    return { entry, id: ownIdOf(entry) ?? newIdOf(entry, deps), isMatch: false, criteria, resource }
  })
  checkOneEach(identified)
  return identified
}

function questionOf(
  entry: EntryRequest,
  { access, urns }: { readonly access: AccessConditions; readonly urns: ReadonlySet<string> },
  deps: Pick<InteractionDeps, 'definitions'>,
): ClaimingQuestion | undefined {
  const { method, place, ifNoneExist, index } = entry
  try {
    const { type, id, query } = place
    if (type === undefined || !isWritable(place) || (method === 'POST' && id !== undefined)) {
      throw incorrect('The entry asks for something that a transaction cannot do.', {
        fields: [{ path: 'request.url', message: `cannot be used with ${method}` }],
      })
    }
    requireType(type, deps.definitions)
    const criteria = method === 'POST' ? ifNoneExist : id === undefined ? query : undefined
    if (criteria === undefined) return undefined
    requireRight(access, type, 's')
    checkCriteria(criteria, urns)
    const mayCreate = method === 'POST' || method === 'PUT'
    return { criteria: criteriaOf(type, requireCriteria(criteria)), access, mayCreate }
  } catch (thrown) {
    throw atEntry(thrown, index)
  }
}

/**
 * Criteria are asked before the entries have their ids, so none can be found by the fullUrl of another: the entry would
 * make one more of its kind each time the bundle is sent.
 */
function checkCriteria(criteria: string, urns: ReadonlySet<string>): void {
  const named = [...new URLSearchParams(criteria)].find(([, value]) => value.split(',').some((one) => urns.has(one)))
  if (named === undefined) return
  throw incorrect('The criteria of an entry name another entry by its fullUrl, which nothing can be found by.', {
    fields: [
      { path: 'request', message: `${named[0]} cannot be a fullUrl; say, for instance, ${named[0]}.identifier` },
    ],
  })
}

/** The id in the address, or in the body of a conditional update. */
function ownIdOf({ method, place, resource }: EntryRequest): string | undefined {
  if (place.id !== undefined || method !== 'PUT') return place.id
  const { id } = (resource ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}

const newIdOf = ({ method }: EntryRequest, { ids }: Pick<InteractionDeps, 'ids'>) =>
  method === 'POST' || method === 'PUT' ? ids.timeUuid() : undefined

/** Two entries that would both create under the same criteria would make two of what should be one. */
function checkDistinct(asked: readonly AskedEntry[]): void {
  const seen = new Set<string>()
  for (const { entry, question } of asked) {
    if (question === undefined || !question.mayCreate) continue
    if (seen.has(question.criteria.claim)) throw atEntry(sameTwice('has the criteria of another entry'), entry.index)
    seen.add(question.criteria.claim)
  }
}

/** R4: a transaction fails when two of its entries write the same resource. */
function checkOneEach(identified: readonly IdentifiedEntry[]): void {
  const seen = new Set<string>()
  for (const { entry, id } of identified) {
    if (id === undefined) continue
    const identity = `${entry.place.type}/${id}`
    if (seen.has(identity)) throw atEntry(sameTwice('writes the resource of another entry'), entry.index)
    seen.add(identity)
  }
}

const sameTwice = (message: string) =>
  incorrect('A transaction may write each resource once.', { fields: [{ path: 'request.url', message }] })
