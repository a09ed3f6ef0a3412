import { conflict, faultOf, type Fault } from '../../../packages/faults/fault.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import type { Change, Outcome } from './change.ts'
import type { Key } from './keys.ts'
import { lockMatches, type ClaimingQuestion } from './locked-matches.ts'
import type { LookedUp } from './look-up.ts'
import type { WriteDeps } from './write-deps.ts'
import { isLarge } from './large.ts'
import { slotOf, writeAll } from './write.ts'

/** Changes that happen all or not at all. */
export interface WholeChange {
  /** What has to be found before it is known what is changed. */
  readonly questions: readonly ClaimingQuestion[]
  /** Resources that are named. */
  readonly keys: readonly Key[]
  /**
   * What it comes to, given what each question finds; undefined where it has to search, and may not. It may throw a
   * refusal, and be called again.
   */
  changesFor(
    found: LookedUp['found'],
    tx: Transaction,
    may: { search: boolean },
  ): Promise<readonly Change[] | undefined>
  /** The refusal of one of these changes, as whoever asked will understand it. */
  refusalOf(fault: Fault, position: number): Fault
}

/** The outcome of each change, or why none of them happened. */
export type WholeOutcome =
  | { readonly outcomes: readonly Outcome[] }
  | { readonly fault: Fault }
  /** Nothing was done: it is more than this transaction takes, and needs one of its own. */
  | { readonly isLeftOut: true }

export interface WholeOptions {
  /** Nothing is done in the transaction behind it. */
  readonly commits: boolean
  readonly assumesNew?: boolean
  /** Of what does more than this nothing is done. */
  readonly takes?: 'what is found by keys' | 'what holds up nobody'
}

/**
 * Several of them in one database transaction, each whole: one that is refused before anything is written is left out.
 * Thrown is what undoes them all; they may then be tried one by one.
 */
export async function writeWhole(
  wholes: readonly WholeChange[],
  tx: Transaction,
  deps: WriteDeps,
  { commits, assumesNew = false, takes }: WholeOptions,
): Promise<WholeOutcome[]> {
  const named = wholes.flatMap(({ keys }) => keys)
  const looked = await lockMatches({ questions: wholes.flatMap(({ questions }) => questions), keys: named }, tx, deps)
  const prepared: (readonly Change[] | Fault | undefined)[] = []
  let asked = 0
  for (const whole of wholes) {
    const found = looked.found.slice(asked, (asked += whole.questions.length))
    const changes = await changesOf(whole, found, tx, { search: takes === undefined })
    prepared.push(takes === 'what holds up nobody' && holdsUpOthers(changes) ? undefined : changes)
  }
  const changes = prepared.flatMap((one) => (one === undefined || 'kind' in one ? [] : one))
  if (wholes.length > 1) checkApart(changes)
  const outcomes = await writeAll(changes, tx, deps, {
    known: new Map([...named.map((key) => [key, undefined] as const), ...looked.heads]),
    assumesNew,
    ...(commits ? { commit: 'whole' } : {}),
  })
  let written = 0
  return prepared.map((one, index) => {
    if (one === undefined) return { isLeftOut: true }
    if ('kind' in one) return { fault: one }
    const own = outcomes.slice(written, (written += one.length))
    const refused = own.findIndex(({ kind }) => kind === 'refused')
    const outcome = own[refused]
    if (outcome?.kind === 'refused') throw wholes[index]?.refusalOf(outcome.fault, refused) ?? outcome.fault
    return { outcomes: own }
  })
}

/** What the database throws concerns all that are in its transaction. */
async function changesOf(whole: WholeChange, found: LookedUp['found'], tx: Transaction, may: { search: boolean }) {
  try {
    return await whole.changesFor(found, tx, may)
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (fault.kind === 'bug' || fault.kind === 'unavailable') throw thrown
    return fault
  }
}

const holdsUpOthers = (changes: readonly Change[] | Fault | undefined): boolean =>
  changes !== undefined && !('kind' in changes) && isLarge(changes)

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
