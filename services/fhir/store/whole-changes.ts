import { conflict, faultOf, type Fault } from '../../../packages/faults/fault.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import type { Change, Outcome } from './change.ts'
import type { Key } from './keys.ts'
import { lockMatches, type ClaimingQuestion } from './locked-matches.ts'
import type { LookedUp } from './look-up.ts'
import type { WriteDeps } from './write-deps.ts'
import { slotOf, writeAll } from './write.ts'

/** Changes that happen all or not at all. */
export interface WholeChange {
  /** What has to be found before it is known what is changed. */
  readonly questions: readonly ClaimingQuestion[]
  /** Resources that are named. */
  readonly keys: readonly Key[]
  /** What it comes to, given what each question finds. It may throw a refusal, and be called again. */
  changesFor(found: LookedUp['found'], tx: Transaction): Promise<readonly Change[]>
  /** The refusal of one of these changes, as whoever asked will understand it. */
  refusalOf(fault: Fault, position: number): Fault
}

/** The outcome of each change, or why none of them happened. */
export type WholeOutcome = { readonly outcomes: readonly Outcome[] } | { readonly fault: Fault }

export interface WholeOptions {
  /** Nothing is done in the transaction behind it. */
  readonly commits: boolean
  readonly assumesNew?: boolean
}

/**
 * Several of them in one database transaction, each whole: one that is refused before anything is written is left out.
 * Thrown is what undoes them all; they may then be tried one by one.
 */
export async function writeWhole(
  wholes: readonly WholeChange[],
  tx: Transaction,
  deps: WriteDeps,
  { commits, assumesNew = false }: WholeOptions,
): Promise<WholeOutcome[]> {
  const named = wholes.flatMap(({ keys }) => keys)
  const looked = await lockMatches({ questions: wholes.flatMap(({ questions }) => questions), keys: named }, tx, deps)
  const prepared: (readonly Change[] | Fault)[] = []
  let asked = 0
  for (const whole of wholes) {
    const found = looked.found.slice(asked, (asked += whole.questions.length))
    prepared.push(await changesOf(whole, found, tx))
  }
  const changes = prepared.flatMap((one) => ('kind' in one ? [] : one))
  if (wholes.length > 1) checkApart(changes)
  const outcomes = await writeAll(changes, tx, deps, {
    known: new Map([...named.map((key) => [key, undefined] as const), ...looked.heads]),
    assumesNew,
    ...(commits ? { commit: 'whole' } : {}),
  })
  let written = 0
  return prepared.map((one, index) => {
    if ('kind' in one) return { fault: one }
    const own = outcomes.slice(written, (written += one.length))
    const refused = own.findIndex(({ kind }) => kind === 'refused')
    const outcome = own[refused]
    if (outcome?.kind === 'refused') throw wholes[index]?.refusalOf(outcome.fault, refused) ?? outcome.fault
    return { outcomes: own }
  })
}

/** What the database throws concerns all that are in its transaction. */
async function changesOf(whole: WholeChange, found: LookedUp['found'], tx: Transaction) {
  try {
    return await whole.changesFor(found, tx)
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (fault.kind === 'bug' || fault.kind === 'unavailable') throw thrown
    return fault
  }
}

/** Other criteria may mean the same resource; then they have to be carried out one after the other. */
function checkApart(changes: readonly Change[]): void {
  const slots = new Set(changes.map(slotOf))
  if (slots.size < changes.length) throw conflict('Two transactions change the same resource.')
}

/** What two of them may not have in common. */
export const slotsOf = ({ questions, keys }: WholeChange): Key[] => [
  ...questions.map(({ criteria }) => criteria.claim),
  ...keys,
]
