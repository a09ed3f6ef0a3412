import { incorrect } from '../../../../packages/faults/fault.ts'
import type { Transaction } from '../../../../packages/sql/queryable.ts'
import type { AccessConditions } from '../../scopes/access.ts'
import { criteriaOf } from '../../store/criteria.ts'
import type { Head } from '../../store/heads.ts'
import type { Key } from '../../store/keys.ts'
import { lockMatches, type ClaimingQuestion } from '../../store/locked-matches.ts'
import { manyMatch } from '../../store/place.ts'
import type { InteractionDeps } from '../deps.ts'
import { requireRight, requireType } from '../require-right.ts'
import { requireCriteria } from '../changes.ts'
import { atEntry } from './at-entry.ts'
import type { EntryRequest } from './entry-request.ts'

/** An entry that knows which resource it is about. */
export interface IdentifiedEntry {
  readonly entry: EntryRequest
  /** Undefined: the criteria of a delete found nothing. */
  readonly id: string | undefined
  /** The criteria found it: it is there and locked. */
  readonly isMatch: boolean
  /** Its links already lead to the ids of this server. */
  readonly resource: unknown
}

export interface Identified {
  readonly entries: readonly IdentifiedEntry[]
  /** What is there of what the criteria found, locked. */
  readonly heads: ReadonlyMap<Key, Head>
}

/** Gives every entry that writes its resource's id, before anything is written: others may refer to it. */
export async function identify(
  entries: readonly EntryRequest[],
  access: AccessConditions,
  tx: Transaction,
  deps: InteractionDeps,
): Promise<Identified> {
  const asked = entries.map((entry) => ({ entry, question: questionOf(entry, access, deps) }))
  const conditional = asked.filter(({ question }) => question !== undefined)
  checkDistinct(conditional)
  const { found, heads } = await lockMatches(
    conditional.flatMap(({ question }) => question ?? []),
    tx,
    deps,
  )
  const matches = new Map(conditional.map(({ entry }, index) => [entry, found[index] ?? []]))
  const identified = entries.map((entry) => {
    const { resource } = entry
    const [match, second] = matches.get(entry) ?? []
    if (second !== undefined) throw atEntry(manyMatch(), entry.index)
    if (match !== undefined) return { entry, id: match.id, isMatch: true, resource }
    return { entry, id: ownIdOf(entry) ?? newIdOf(entry, deps), isMatch: false, resource }
  })
  checkOneEach(identified)
  return { entries: identified, heads }
}

function questionOf(
  entry: EntryRequest,
  access: AccessConditions,
  deps: InteractionDeps,
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

const newIdOf = ({ method }: EntryRequest, { ids }: InteractionDeps) =>
  method === 'POST' || method === 'PUT' ? ids.timeUuid() : undefined

/** Two entries that would both create under the same criteria would make two of what should be one. */
function checkDistinct(asked: readonly { entry: EntryRequest; question: ClaimingQuestion | undefined }[]): void {
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
