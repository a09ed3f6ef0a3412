import { assert, conflict, incorrect, type Fault } from '../../../packages/faults/fault.ts'
import type { Queryable, Transaction } from '../../../packages/sql/queryable.ts'
import type { MatchedVersion } from '../search/engine.ts'
import { isUnrestricted } from './access-condition.ts'
import { refusalOfNew } from './carries.ts'
import { mustExist, type Change, type Outcome } from './change.ts'
import type { Placed, Places, Waiting } from './change-under-way.ts'
import { isOvertaken, noVersion } from './decide.ts'
import { resourceKey, type Key } from './keys.ts'
import { lookUp, type LookedUp, type Wanted } from './look-up.ts'
import { readCurrent } from './read.ts'
import type { Question } from './resolve.ts'
import type { WriteDeps } from './write-deps.ts'

interface PlacedRound extends Places {
  /** What they found has changed since: they have to look again. */
  readonly overtaken: readonly Waiting[]
}

/**
 * Finds out which resource each change means, and locks it. Those that end here have their outcome. What the transaction
 * has locked already is `known`.
 */
export async function place(
  waiting: readonly Waiting[],
  outcomes: Outcome[],
  known: Places['heads'],
  tx: Transaction,
  deps: WriteDeps,
): Promise<PlacedRound> {
  const placed: Placed[] = []
  const keptOnes: { at: number; key: Key }[] = []
  const overtaken: Waiting[] = []
  const { asked, heads } = await matchesOf(waiting, known, tx, deps)
  for (const { one, found } of asked) {
    const answer = placeOf(one, found)
    if ('fault' in answer) outcomes[one.at] = { kind: 'refused', fault: answer.fault }
    else if ('kept' in answer) {
      const { key, version } = answer.kept
      if (isOvertaken({ seenVersion: version }, heads.get(key))) overtaken.push(one)
      else keptOnes.push({ at: one.at, key })
    } else if ('absent' in answer) outcomes[one.at] = { kind: 'absent' }
    else placed.push({ ...one, ...answer, key: keyOf(one, answer.id) })
  }
  await answerKept(keptOnes, outcomes, tx)
  // An id that somebody chose for what the criteria did not find may be in use. One that was named is looked up already.
  const isChosen = ({ change, mustBeNew, isNewId }: Placed) =>
    change.target.kind === 'matching' && mustBeNew && !isNewId
  const chosen = placed.filter(isChosen).map(({ key }) => key)
  const taken = chosen.length === 0 ? nothing : await lookUp({ questions: [], keys: chosen }, tx, deps)
  return { placed, overtaken, heads: new Map([...heads, ...taken.heads]) }
}

const nothing: LookedUp = { found: [], heads: new Map() }

async function answerKept(those: readonly { at: number; key: Key }[], outcomes: Outcome[], tx: Queryable) {
  const contents = await readCurrent(
    those.map(({ key }) => key),
    tx,
  )
  for (const { at, key } of those) {
    const stored = contents.get(key)
    assert(stored !== undefined, 'what criteria found has no content')
    outcomes[at] = { kind: 'kept', stored }
  }
}

/** Where nothing is found and something may be created, the criteria are claimed and looked up once more. */
async function matchesOf(waiting: readonly Waiting[], known: Places['heads'], tx: Transaction, deps: WriteDeps) {
  const asked = waiting.map((one) => ({
    one,
    question: questionOf(one.change),
    found: [] as readonly MatchedVersion[],
  }))
  const conditional = asked.filter(({ question }) => question !== undefined)
  const heads = new Map(known)
  const look = async (those: typeof conditional, rest: Pick<Wanted, 'keys' | 'claims'>) => {
    const questions = those.flatMap(({ question }) => question ?? [])
    const looked = await lookUp({ questions, ...rest }, tx, deps)
    for (const [index, each] of those.entries()) each.found = looked.found[index] ?? []
    for (const [key, head] of looked.heads) heads.set(key, head)
  }
  const keys = waiting.filter(isNamed).flatMap(({ slot }) => (known.has(slot) ? [] : [slot]))
  if (conditional.length + keys.length > 0) await look(conditional, { keys })
  const unclaimed = conditional.filter(({ one, found }) => found.length === 0 && mayCreate(one.change))
  const claims = unclaimed.flatMap(({ question }) => question?.criteria.claim ?? [])
  if (claims.length > 0) await look(unclaimed, { claims })
  return { asked, heads }
}

const isNamed = ({ change: { target } }: Waiting) => target.kind === 'id' && target.isNewId !== true

const keyOf = ({ change: { type, target }, slot }: Waiting, id: string): Key =>
  target.kind === 'id' ? slot : resourceKey(type, id)

const questionOf = ({ target, access }: Change): Question | undefined =>
  target.kind === 'matching' ? { criteria: target.criteria, access } : undefined

const mayCreate = ({ target }: Change) => target.kind === 'matching' && target.whenNone === 'create'

type Place =
  | Pick<Placed, 'id' | 'mayCreate' | 'mustBeNew' | 'isNewId' | 'seenVersion'>
  | { readonly kept: MatchedVersion }
  | { readonly absent: true }
  | { readonly fault: Fault }

function placeOf(
  { change: { type, method, body, target, access, precondition } }: Waiting,
  found: readonly MatchedVersion[],
): Place {
  if (target.kind === 'id') {
    const { id, isNewId = false, mustBeNew = false } = target
    return { id, mayCreate: target.mayCreate, mustBeNew, isNewId, seenVersion: undefined }
  }
  const [match, second] = found
  if (second !== undefined) return { fault: manyMatch() }
  if (match === undefined) {
    if (target.whenNone === 'nothing') return mustExist(precondition) ? { fault: noVersion() } : { absent: true }
    const refusal = method === 'PUT' ? refusalOfNew(target.criteria, body?.index) : undefined
    if (refusal !== undefined) return { fault: refusal }
    // Under an id of their choice, the confined would learn which ids are taken by what they may not see.
    const mayChooseId = target.ownId === undefined || isUnrestricted(access, type, 'u')
    const isNewId = target.ownId === undefined
    return { id: target.newId, mayCreate: mayChooseId, mustBeNew: true, isNewId, seenVersion: undefined }
  }
  if (target.whenOne === 'keep') return { kept: match }
  if (target.ownId !== undefined && target.ownId !== match.id) return { fault: otherId() }
  return { id: match.id, mayCreate: false, mustBeNew: false, isNewId: false, seenVersion: match.version }
}

export const manyMatch = () =>
  conflict('More than one resource matches the criteria. Give criteria that only one can match.', {
    code: 'MULTIPLE_MATCHES',
  })

const otherId = () =>
  incorrect('The id in the body is not that of the resource that matches the criteria. Leave the id out.')
