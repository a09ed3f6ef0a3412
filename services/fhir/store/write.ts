import type { Queryable, Transaction } from '../../../packages/sql/queryable.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import type { Change, Outcome } from './change.ts'
import type { Placed, Places, Waiting, Writing } from './change-under-way.ts'
import { decide, decideHidden, isOvertaken, refused, unshared, type Decision } from './decide.ts'
import { insertHeads, type Head } from './heads.ts'
import { resourceKey, type Key } from './keys.ts'
import { othersWord, vouchedForByOthers } from './others-word.ts'
import { place } from './place.ts'
import { checkReach, hiddenFrom, isConfined } from './reach.ts'
import type { WriteDeps, WrittenResource } from './write-deps.ts'
import { writeStatement } from './write-statement.ts'

interface WriteOptions {
  /** What the transaction has locked already; undefined: it looked, and there was none. */
  readonly known?: Places['heads']
  /**
   * The transaction does nothing else: it is committed with the last statement, which saves a round trip. `whole`: unless
   * a change was refused, since the others may then not happen either.
   */
  readonly commit?: 'each' | 'whole'
  /**
   * What was not there when it was looked for is taken to be new, which saves a round trip. If somebody creates it in
   * between, the transaction fails with ALREADY_EXISTS and has to be run again without.
   */
  readonly assumesNew?: boolean
}

/**
 * Writes many changes in one transaction, each with an outcome of its own: one that is refused has written nothing. The
 * statements are the same for one change and for a hundred. Changes that meet the same resource or the same criteria go
 * one after the other, in further rounds.
 */
export async function writeAll(
  changes: readonly Change[],
  tx: Transaction,
  deps: WriteDeps,
  { known = new Map(), commit, assumesNew = false }: WriteOptions = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const mayCommit = () =>
    commit !== undefined && (commit === 'each' || !outcomes.some((outcome) => outcome.kind === 'refused'))
  let waiting: readonly Waiting[] = changes.map((change, at) => ({ at, change, slot: slotOf(change) }))
  for (let round = 0; waiting.length > 0; round++) {
    waiting = await writeRound(
      waiting,
      { outcomes, known: round === 0 ? known : new Map(), mayCommit, assumesNew },
      tx,
      deps,
    )
  }
  return outcomes
}

/** Above this the statements get no cheaper, and making them would hold up everybody else in the process. */
const roundMax = 500

interface Round {
  readonly outcomes: Outcome[]
  readonly known: Places['heads']
  readonly mayCommit: () => boolean
  readonly assumesNew: boolean
}

/** Gives those that have to wait for the next round. */
async function writeRound(
  waiting: readonly Waiting[],
  { outcomes, known, mayCommit, assumesNew }: Round,
  tx: Transaction,
  deps: WriteDeps,
): Promise<Waiting[]> {
  const [alone, later] = onePer(waiting, ({ slot }) => slot)
  later.push(...alone.splice(roundMax))
  const places = await place(alone, outcomes, known, tx, deps)
  const [placed, samePlace] = onePer(places.placed, ({ key }) => key)
  later.push(...places.overtaken, ...samePlace)
  const { heads } = places
  const limits = { hidden: await hiddenFrom(placed, heads, tx, deps), others: await othersWord(placed, heads, tx) }
  const now = deps.clock.now()
  const writings: Writing[] = []
  for (const one of placed) {
    const decision = decideWithin(limits, one, heads.get(one.key), now)
    if (decision.kind === 'write') writings.push(decision)
    else if (decision.kind === 'stale') later.push(one)
    else outcomes[one.at] = decision
  }
  const settled = await withSets(writings, tx, deps)
  const { written, lost, isInserted } = assumesNew ? takenAsNew(settled) : await claimIds(settled, tx)
  later.push(...lost)
  if (written.length > 0) {
    const statements = [writeStatement(written, isInserted), ...(await statementsOfHooks(written, tx, deps))]
    const isLast = later.length === 0 && mayCommit() && !isConfined(written)
    await (isLast ? tx.commitWith(statements) : tx.together(statements))
    await checkReach(written, tx, deps)
  }
  for (const { at, outcome } of written) outcomes[at] = outcome
  return later.sort((some, other) => some.at - other.at)
}

interface Limits {
  /** What callers may not know of. */
  readonly hidden: ReadonlySet<Key>
  /** What they may know of and not change, because others vouch for it. */
  readonly others: ReadonlySet<Key>
}

/** What nobody but its keeper writes is refused before anything else: whether it is there, and in which version, is no matter. */
function decideWithin({ hidden, others }: Limits, one: Placed, before: Head | undefined, now: Date): Decision {
  const { id, key, change } = one
  const { type, body, access } = change
  const refusal = access.refusalOf?.({ type, id, resource: body?.resource })
  if (refusal !== undefined) return refused(refusal)
  if (isOvertaken(one, before)) return { kind: 'stale' }
  if (hidden.has(key)) return decideHidden(one, now)
  return others.has(key) ? refused(vouchedForByOthers(type)) : decide(one, before, now)
}

/** Whose set has a key that stands for another one (once in many years, or by intent) has all its rows itself. */
async function withSets(writings: readonly Writing[], tx: Transaction, { sets }: WriteDeps) {
  const shared = writings.flatMap(({ index }) => index?.shared ?? [])
  const others = await sets.settle(shared, tx)
  const isOther = ({ index }: Writing) => index?.shared !== undefined && others.has(index.shared)
  return others.size === 0 ? writings : writings.map((one) => (isOther(one) ? unshared(one) : one))
}

async function statementsOfHooks(written: readonly Writing[], tx: Transaction, { hooks = [] }: WriteDeps) {
  const resources = written.map(writtenResource)
  const statements: Statement[] = []
  for (const hook of hooks) statements.push(...(await hook(resources, tx)))
  return statements
}

function writtenResource({ head: { type, id }, before, placed: { change } }: Writing): WrittenResource {
  const resource = change.body?.resource
  return { type, id, resource: resource === undefined ? undefined : { ...resource, id }, isNew: before === undefined }
}

/** The first of each slot, and the others. */
function onePer<Item>(items: readonly Item[], slot: (item: Item) => string): [first: Item[], others: Item[]] {
  const first: Item[] = []
  const others: Item[] = []
  const taken = new Set<string>()
  for (const item of items) {
    const own = slot(item)
    ;(taken.has(own) ? others : first).push(item)
    taken.add(own)
  }
  return [first, others]
}

export function slotOf({ type, target }: Change): Key {
  return target.kind === 'id' ? resourceKey(type, target.id) : target.criteria.claim
}

const takenAsNew = (writings: readonly Writing[]): Awaited<ReturnType<typeof claimIds>> => ({
  written: [...writings],
  lost: [],
  isInserted: () => false,
})

/** A new resource is lost when somebody else created it in the meantime: then it is there in the next round. */
async function claimIds(writings: readonly Writing[], tx: Queryable) {
  const mayBeTaken = ({ before, placed }: Writing) => before === undefined && !placed.isNewId
  const inserted = await insertHeads(
    writings.filter(mayBeTaken).map(({ head }) => head),
    tx,
  )
  const isInserted = ({ head }: Writing) => inserted.has(head.key)
  const isWritten = (writing: Writing) => !mayBeTaken(writing) || isInserted(writing)
  return {
    isInserted,
    written: writings.filter(isWritten),
    lost: writings.filter((writing) => !isWritten(writing)).map(({ placed }): Placed => placed),
  }
}
