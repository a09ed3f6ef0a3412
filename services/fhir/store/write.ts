import type { Clock } from '../../../packages/clock/clock.ts'
import type { Queryable, Transaction } from '../../../packages/sql/queryable.ts'
import type { SearchEngine } from '../search/engine.ts'
import type { Change, Outcome } from './change.ts'
import { decide, decideHidden, type Writing } from './decide.ts'
import { insertHeads, lockHeads, updateHeads } from './heads.ts'
import { indexKinds, type IndexKind } from './index-kinds.ts'
import { deleteIndexRows, insertIndexRows, type KeyedRow } from './index-tables.ts'
import { resourceKey, type Key } from './keys.ts'
import { place, type Placed } from './place.ts'
import { checkReach, hiddenFrom } from './reach.ts'
import { insertVersions } from './version-rows.ts'

export interface WriteDeps {
  readonly engine: Pick<SearchEngine, 'matches' | 'condition'>
  readonly clock: Clock
  readonly hooks?: readonly WriteHook[]
}

/** Called in the transaction with what it has written: for what must be kept in step with the record. */
export type WriteHook = (written: readonly WrittenResource[], tx: Transaction) => Promise<void>

export interface WrittenResource {
  readonly type: string
  readonly id: string
  /** With its id; undefined: it was deleted. */
  readonly resource: object | undefined
}

/** A change that waits for its outcome. */
export interface Waiting {
  /** Its place in the list of outcomes. */
  readonly at: number
  readonly change: Change
}

/**
 * Writes many changes in one transaction, each with an outcome of its own: one that is refused has written nothing. The
 * statements are the same for one change and for a hundred. Changes that meet the same resource or the same criteria go
 * one after the other, in further rounds.
 */
export async function writeAll(changes: readonly Change[], tx: Transaction, deps: WriteDeps): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let waiting: readonly Waiting[] = changes.map((change, at) => ({ at, change }))
  while (waiting.length > 0) waiting = await writeRound(waiting, outcomes, tx, deps)
  return outcomes
}

/** Above this the statements get no cheaper, and making them would hold up everybody else in the process. */
const roundMax = 500

/** Gives those that have to wait for the next round. */
async function writeRound(
  waiting: readonly Waiting[],
  outcomes: Outcome[],
  tx: Transaction,
  deps: WriteDeps,
): Promise<Waiting[]> {
  const [alone, later] = onePer(waiting, slotOf)
  later.push(...alone.splice(roundMax))
  const [placed, samePlace] = onePer(await place(alone, outcomes, tx, deps), ({ key }) => key)
  later.push(...samePlace)
  const heads = await lockHeads(
    placed.map(({ key }) => key),
    tx,
  )
  const hidden = await hiddenFrom(placed, heads, tx, deps)
  const now = deps.clock.now()
  const writings: Writing[] = []
  for (const one of placed) {
    const decision = hidden.has(one.key) ? decideHidden(one, now) : decide(one, heads.get(one.key), now)
    if (decision.kind === 'write') writings.push(decision)
    else if (decision.kind === 'stale') later.push(one)
    else outcomes[one.at] = decision
  }
  const { written, lost } = await writeHeads(writings, tx)
  later.push(...lost)
  await insertVersions(
    written.map(({ version }) => version),
    tx,
  )
  await writeIndex(written, tx)
  await checkReach(written, tx, deps)
  if (written.length > 0) for (const hook of deps.hooks ?? []) await hook(written.map(writtenResource), tx)
  for (const { at, outcome } of written) outcomes[at] = outcome
  return later.sort((some, other) => some.at - other.at)
}

function writtenResource({ head: { type, id }, placed: { change } }: Writing): WrittenResource {
  const resource = change.body?.resource
  return { type, id, resource: resource === undefined ? undefined : { ...resource, id } }
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

/** What two changes may not have in common within a round. */
export function slotOf({ change: { type, target } }: Pick<Waiting, 'change'>): Key {
  return target.kind === 'id' ? resourceKey(type, target.id) : target.criteria.claim
}

/** A new resource is lost when somebody else created it in the meantime: then it is there in the next round. */
async function writeHeads(writings: readonly Writing[], tx: Queryable) {
  const isNew = ({ before }: Writing) => before === undefined
  const inserted = await insertHeads(
    writings.filter(isNew).map(({ head }) => head),
    tx,
  )
  await updateHeads(
    writings.filter((writing) => !isNew(writing)).map(({ head }) => head),
    tx,
  )
  const isWritten = (writing: Writing) => !isNew(writing) || inserted.has(writing.head.key)
  return {
    written: writings.filter(isWritten),
    lost: writings.filter((writing) => !isWritten(writing)).map(({ placed }): Placed => placed),
  }
}

/** Only the kinds whose rows are not the same as before: they are half of what a write costs. */
async function writeIndex(writings: readonly Writing[], tx: Queryable): Promise<void> {
  for (const [position, kind] of indexKinds.entries()) {
    const changed = writings.filter(({ before, head }) => hashAt(before, position) !== hashAt(head, position))
    const stale = changed.filter(({ before }) => hashAt(before, position) !== none).map(({ head }) => head.key)
    await deleteIndexRows(kind, stale, tx)
    await insertIndexRows(
      kind,
      changed.flatMap((writing) => rowsOf(writing, kind)),
      tx,
    )
  }
}

const none: Key = '0'
const hashAt = (head: Writing['before'], position: number): Key => head?.hashes[position] ?? none

const rowsOf = ({ head, rows }: Writing, kind: IndexKind): KeyedRow[] =>
  rows === undefined ? [] : rows[kind].map((row) => [head.key, ...row])
