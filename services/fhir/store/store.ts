import type { Clock } from '../../../packages/clock/clock.ts'
import { bug, faultOf } from '../../../packages/faults/fault.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database, Transaction } from '../../../packages/sql/queryable.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import type { SearchEngine } from '../search/engine.ts'
import { isOpen } from './access-condition.ts'
import type { Change, Outcome } from './change.ts'
import { isLarge } from './large.ts'
import type { SharedSets } from './shared-sets.ts'
import { slotsOf, writeWhole, type WholeChange, type WholeOptions, type WholeOutcome } from './whole-changes.ts'
import type { WriteHook } from './write-deps.ts'
import { slotOf, writeAll } from './write.ts'

interface StoreDeps {
  readonly database: Database
  readonly engine: SearchEngine
  readonly clock: Clock
  readonly sets: SharedSets
  readonly hooks?: readonly WriteHook[]
}

/** Enough to share a commit, few enough that nobody waits long for the others. */
const wholesMax = 32

/** Under load, how long whole changes wait for others: less work for everybody, little time for each. */
const gatherMs = 2

/** Takes changes one by one and writes together what comes together. */
export class Store {
  readonly #deps: StoreDeps
  readonly #batcher: Batcher<Change, Outcome>
  readonly #wholes: Batcher<WholeChange, WholeOutcome>

  constructor(deps: StoreDeps) {
    this.#deps = deps
    this.#batcher = new Batcher({
      write: (changes) =>
        this.#unlessOvertaken((tx, assumesNew) => writeAll(changes, tx, deps, { commit: 'each', assumesNew })),
      // Two at once would only wait for each other's locks.
      keyOf: slotOf,
    })
    this.#wholes = new Batcher({
      write: (wholes) =>
        this.#unlessOvertaken((tx, assumesNew) =>
          writeWhole(wholes, tx, deps, { commits: true, assumesNew, takes: 'what holds up nobody' }),
        ),
      keysOf: slotsOf,
      batchMax: wholesMax,
      writers: 1,
      gather: () => deps.clock.sleep(gatherMs),
    })
  }

  /** Resolves once the change is durable; a refusal is thrown. */
  async write(change: Change): Promise<Exclude<Outcome, { kind: 'refused' }>> {
    const [outcome] = isShareable(change) ? [await this.#batcher.submit(change)] : await this.#writeAlone(change)
    return accepted(outcome)
  }

  /**
   * All of them or none; others that come meanwhile share the database transaction. Only for callers that are confined to
   * nothing and criteria that are identifiers. Undefined: it would hold up the others, and nothing was done.
   */
  async writeWhole(whole: WholeChange): Promise<readonly Outcome[] | undefined> {
    return outcomesOf(await this.#wholes.submit(whole))
  }

  /** The same as part of the caller's transaction. */
  async writeWholeIn(
    whole: WholeChange,
    tx: Transaction,
    options: WholeOptions,
  ): Promise<readonly Outcome[] | undefined> {
    const [outcome] = await writeWhole([whole], tx, this.#deps, options)
    if (outcome === undefined) throw bug('a transaction has no outcome')
    return outcomesOf(outcome)
  }

  /**
   * As part of the caller's transaction, which a thrown refusal undoes. `commitWith`: these statements are sent with the
   * last of it, and COMMIT behind them; they may be sent more than once.
   */
  writeTogether(changes: readonly Change[], tx: Transaction, commitWith?: readonly Statement[]): Promise<Outcome[]> {
    if (commitWith === undefined) return writeAll(changes, tx, this.#deps)
    const hooks = [...(this.#deps.hooks ?? []), async () => commitWith]
    return writeAll(changes, tx, { ...this.#deps, hooks }, { commit: 'whole' })
  }

  async close(): Promise<void> {
    await Promise.all([this.#batcher.close(), this.#wholes.close()])
  }

  /** Nearly nobody creates the same id at the same moment; who does is told apart at the second try. */
  async #unlessOvertaken<T>(work: (tx: Transaction, assumesNew: boolean) => Promise<T>): Promise<T> {
    const { database } = this.#deps
    try {
      return await database.transaction((tx) => work(tx, true), { plans: 'kept' })
    } catch (thrown) {
      if (faultOf(thrown).code !== 'ALREADY_EXISTS') throw thrown
      return database.transaction((tx) => work(tx, false), { plans: 'kept' })
    }
  }

  #writeAlone(change: Change): Promise<Outcome[]> {
    return this.#deps.database.transaction((tx) => writeAll([change], tx, this.#deps))
  }
}

/** A refusal is thrown. */
export function accepted(outcome: Outcome | undefined): Exclude<Outcome, { kind: 'refused' }> {
  if (outcome === undefined) throw bug('a change has no outcome')
  if (outcome.kind === 'refused') throw outcome.fault
  return outcome
}

function outcomesOf(whole: WholeOutcome): readonly Outcome[] | undefined {
  if ('fault' in whole) throw whole.fault
  return 'isLeftOut' in whole ? undefined : whole.outcomes
}

/** What needs a search of its own, may be undone afterwards or is much would hold up the others. */
function isShareable(change: Change): boolean {
  const { type, target, access } = change
  return (
    isOpen(access, type) && (target.kind === 'id' || target.criteria.identifier !== undefined) && !isLarge([change])
  )
}
