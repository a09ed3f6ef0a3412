import type { Clock } from '../../../packages/clock/clock.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import type { SearchEngine } from '../search/engine.ts'
import type { SharedSets } from './shared-sets.ts'

export interface WriteDeps {
  readonly engine: Pick<SearchEngine, 'matches' | 'condition'>
  readonly clock: Clock
  readonly sets: SharedSets
  readonly hooks?: readonly WriteHook[]
}

/**
 * Called in the transaction with what it writes: for what must be kept in step with the record. The statements that it
 * gives are sent with those of the record.
 */
export type WriteHook = (written: readonly WrittenResource[], tx: Transaction) => Promise<readonly Statement[]>

export interface WrittenResource {
  readonly type: string
  readonly id: string
  /** With its id; undefined: it was deleted. */
  readonly resource: object | undefined
  /** Nothing of this id has ever been there. */
  readonly isNew: boolean
}
