import { conflict, incorrect, type Fault } from '../../../packages/faults/fault.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { Match } from '../search/engine.ts'
import { isUnrestricted } from './access-condition.ts'
import type { Change, Outcome } from './change.ts'
import { resourceKey, type Key } from './keys.ts'
import { readCurrent } from './read.ts'
import { claim, findMatches, type Question } from './resolve.ts'
import type { Waiting, WriteDeps } from './write.ts'

/** A change that knows which resource it is about. */
export interface Placed extends Waiting {
  readonly key: Key
  readonly id: string
  readonly mayCreate: boolean
  /** Nothing matched, so what has this id already is something else. */
  readonly mustBeNew: boolean
  /** The version that the criteria found; another one may no longer match. */
  readonly seenVersion: number | undefined
}

/** Finds out which resource each change means. Those that end here have their outcome. */
export async function place(
  waiting: readonly Waiting[],
  outcomes: Outcome[],
  tx: Queryable,
  deps: WriteDeps,
): Promise<Placed[]> {
  const placed: Placed[] = []
  const kept: { at: number; key: Key }[] = []
  for (const { one, found } of await matchesOf(waiting, tx, deps)) {
    const answer = placeOf(one, found)
    if ('fault' in answer) outcomes[one.at] = { kind: 'refused', fault: answer.fault }
    else if ('kept' in answer) kept.push({ at: one.at, key: answer.kept })
    else if ('absent' in answer) outcomes[one.at] = { kind: 'absent' }
    else placed.push({ ...one, ...answer, key: resourceKey(one.change.type, answer.id) })
  }
  const contents = await readCurrent(
    kept.map(({ key }) => key),
    tx,
  )
  for (const { at, key } of kept) {
    const stored = contents.get(key)
    // Deleted a moment ago: the caller may try again, and will then create.
    outcomes[at] = stored === undefined ? { kind: 'refused', fault: vanished() } : { kind: 'kept', stored }
  }
  return placed
}

/** Where nothing is found and something may be created, the criteria are claimed and looked up once more. */
async function matchesOf(waiting: readonly Waiting[], tx: Queryable, deps: WriteDeps) {
  const asked = waiting.map((one) => ({ one, question: questionOf(one.change), found: [] as readonly Match[] }))
  const conditional = asked.filter(({ question }) => question !== undefined)
  const look = async (those: typeof conditional) => {
    const questions = those.flatMap(({ question }) => question ?? [])
    const found = await findMatches(questions, deps.engine, tx)
    for (const [index, each] of those.entries()) each.found = found[index] ?? []
  }
  await look(conditional)
  const unclaimed = conditional.filter(({ one, found }) => found.length === 0 && mayCreate(one.change))
  if (unclaimed.length > 0) {
    await claim(
      unclaimed.flatMap(({ question }) => question?.criteria.claim ?? []),
      deps.clock.now(),
      tx,
    )
    await look(unclaimed)
  }
  return asked
}

const questionOf = ({ target, access }: Change): Question | undefined =>
  target.kind === 'matching' ? { criteria: target.criteria, access } : undefined

const mayCreate = ({ target }: Change) => target.kind === 'matching' && target.whenNone === 'create'

type Place =
  | Pick<Placed, 'id' | 'mayCreate' | 'mustBeNew' | 'seenVersion'>
  | { readonly kept: Key }
  | { readonly absent: true }
  | { readonly fault: Fault }

function placeOf({ change: { type, target, access } }: Waiting, found: readonly Match[]): Place {
  if (target.kind === 'id') {
    return { id: target.id, mayCreate: target.mayCreate, mustBeNew: false, seenVersion: undefined }
  }
  const [match, second] = found
  if (second !== undefined) return { fault: manyMatch() }
  if (match === undefined) {
    if (target.whenNone === 'nothing') return { absent: true }
    // Under an id of their choice, the confined would learn which ids are taken by what they may not see.
    const mayChooseId = target.ownId === undefined || isUnrestricted(access, type, 'u')
    return { id: target.newId, mayCreate: mayChooseId, mustBeNew: true, seenVersion: undefined }
  }
  if (target.whenOne === 'keep') return { kept: match.key }
  if (target.ownId !== undefined && target.ownId !== match.id) return { fault: otherId() }
  return { id: match.id, mayCreate: false, mustBeNew: false, seenVersion: match.version }
}

export const manyMatch = () =>
  conflict('More than one resource matches the criteria. Give criteria that only one can match.', {
    code: 'MULTIPLE_MATCHES',
  })

const otherId = () =>
  incorrect('The id in the body is not that of the resource that matches the criteria. Leave the id out.')

const vanished = () => conflict('The resource that matched was deleted at the same moment. Try again.')
