import { incorrect } from '../../../../packages/faults/fault.ts'
import type { AccessConditions } from '../../scopes/access.ts'
import type { Match } from '../../search/engine.ts'
import { criteriaOf, type Criteria } from '../../store/criteria.ts'
import type { ClaimingQuestion } from '../../store/locked-matches.ts'
import { manyMatch } from '../../store/place.ts'
import type { InteractionDeps } from '../deps.ts'
import { requireRight, requireType } from '../require-right.ts'
import { requireCriteria } from '../changes.ts'
import { atEntry } from './at-entry.ts'
import type { EntryRequest } from './entry-request.ts'

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
  const asked = entries.map((entry) => ({ entry, question: questionOf(entry, access, deps) }))
  checkDistinct(asked)
  return asked
}

/** Gives every entry that writes its resource's id, before anything is written: others may refer to it. */
export function identify(
  asked: readonly AskedEntry[],
  found: readonly (readonly Match[])[],
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
  access: AccessConditions,
  deps: Pick<InteractionDeps, 'definitions'>,
): ClaimingQuestion | undefined {
  const { method, place, ifNoneExist, index } = entry
  try {
    const { type, id, query } = place
    if (type === undefined || place.isHistory || place.compartmentType !== undefined || (method === 'POST' && id)) {
      throw incorrect('The entry asks for something that a transaction cannot do.', {
        fields: [{ path: 'request.url', message: `cannot be used with ${method}` }],
      })
    }
    requireType(type, deps.definitions)
    const criteria = method === 'POST' ? ifNoneExist : id === undefined ? query : undefined
    if (criteria === undefined) return undefined
    requireRight(access, type, 's')
    const mayCreate = method === 'POST' || method === 'PUT'
    return { criteria: criteriaOf(type, requireCriteria(criteria)), access, mayCreate }
  } catch (thrown) {
    throw atEntry(thrown, index)
  }
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
