import type { Clock } from '../../../packages/clock/clock.ts'
import { bug } from '../../../packages/faults/fault.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database, Transaction } from '../../../packages/sql/queryable.ts'
import type { SearchEngine } from '../search/engine.ts'
import { isUnrestricted } from './access-condition.ts'
import type { Change, Outcome } from './change.ts'
import { slotOf, writeAll, type WriteHook, type WriteOptions } from './write.ts'

export interface StoreDeps {
  readonly database: Database
  readonly engine: SearchEngine
  readonly clock: Clock
  readonly hooks?: readonly WriteHook[]
}

/** Takes changes one by one and writes together what comes together. */
export class Store {
  readonly #deps: StoreDeps
  readonly #batcher: Batcher<Change, Outcome>

  constructor(deps: StoreDeps) {
    this.#deps = deps
    this.#batcher = new Batcher({
      write: (changes) =>
        deps.database.transaction((tx) => writeAll(changes, tx, deps, { commit: 'each' }), { plans: 'kept' }),
      // Two at once would only wait for each other's locks.
      keyOf: (change) => slotOf({ change }),
    })
  }

  /** Resolves once the change is durable; a refusal is thrown. */
  async write(change: Change): Promise<Exclude<Outcome, { kind: 'refused' }>> {
    const [outcome] = isShareable(change) ? [await this.#batcher.submit(change)] : await this.#writeAlone(change)
    return accepted(outcome)
  }

  /** As part of the caller's transaction, which a thrown refusal undoes. */
  writeTogether(changes: readonly Change[], tx: Transaction, options?: WriteOptions): Promise<Outcome[]> {
    return writeAll(changes, tx, this.#deps, options)
  }

  close(): Promise<void> {
    return this.#batcher.close()
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

/** What needs a search of its own or may be undone afterwards would hold up the others. */
function isShareable({ type, target, access }: Change): boolean {
  const isOpen = (['c', 'u', 'd', 's'] as const).every((right) => isUnrestricted(access, type, right))
  return isOpen && (target.kind === 'id' || target.criteria.identifier !== undefined)
}
