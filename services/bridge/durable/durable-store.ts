import { conflict } from '../../../packages/faults/fault.ts'
import type { ProcessIdentity } from '../../../packages/sql/tasks/this-process.ts'
import type { Claimed } from './claims.ts'
import type { BegunWork, CopyRow } from './copy-statements.ts'
import type { FinishPart } from '../pipeline/finished.ts'
import type { Entry, JournalOptions, PlaceRow, SeenRow } from './journal-statements.ts'
import type { Settling } from './settling.ts'

/**
 * What outlives a copy, as the flow of messages asks for it. Each call is one transaction. PostgreSQL has it
 * (`sql-durable-store.ts`); the simulator has it in memory, with a fault wherever it likes.
 */
export interface DurableStore {
  /** J: whoever is first with a key is given places in its lanes; of all keys, who is first. */
  journal(entries: readonly Entry[], options: JournalOptions): Promise<JournalRows>
  /** S: ends, answers and the work gone or parked, all or nothing. Throws `fenced` when a row is another's or of another run. */
  settle(items: readonly Settling[], parts: readonly FinishPart[], options: SettleOptions): Promise<void>
  endOf(transactionId: string): Promise<EndRow | undefined>

  /** Takes what is due and first in all of its lanes, the longest-waiting first; nothing for a copy without a lease. */
  claimDue(copy: string, limit: number, now: Date): Promise<readonly Claimed[]>
  /** Everything that waits for a time is due now; the answer is how much that was. */
  makeAllDue(now: Date): Promise<number>
  /** Who waits for a turn that has come already: the one before it ended at the same moment as it was parked. */
  letStrandedGo(): Promise<number>
  /** How many messages are parked, and since when the longest-waiting one was received. */
  queueState(): Promise<{ readonly depth: number; readonly oldest: Date | null }>
  /** Of messages that wait for other copies: whether anybody is still before them, and whether one of those is parked. */
  lookAhead(transactionIds: readonly string[]): Promise<readonly LookedAhead[]>

  addCopy(id: string, process: ProcessIdentity, leaseMs: number): Promise<void>
  /** False when the lease was taken away. */
  extendLease(id: string, leaseMs: number): Promise<boolean>
  copiesAt(place: string): Promise<readonly CopyRow[]>
  /** Ends these copies and those whose lease has passed; gives how much work became free. */
  takeOver(gone: readonly string[]): Promise<number>
  /** What stands under this name and is not among the known. */
  unknownWork(copy: string, known: readonly string[]): Promise<readonly BegunWork[]>
  /** Frees what still stands under this name and was not begun anew since; gives how many rows that were. */
  release(copy: string, works: readonly BegunWork[]): Promise<number>
}

export interface JournalRows {
  readonly seen: readonly SeenRow[]
  readonly places: readonly PlaceRow[]
}

export interface SettleOptions {
  readonly now: Date
  /** Counts up: whose counters share a row. */
  readonly batch: number
}

export interface EndRow {
  readonly status: string
  readonly attempts: number
  readonly ackCode: string | null
  /** A duplicate's first one. */
  readonly parent: string | null
  readonly ack: Buffer | null
  /** It was through or parked once, or its sender was told AA or CA. */
  readonly wasAccepted: boolean
}

export interface LookedAhead {
  readonly transactionId: string
  readonly isBlocked: boolean
  readonly isBehindParked: boolean
}

/** A copy that was taken for dead wanted to end work that is another's by now. */
export const fenced = () => conflict('The work belongs to another copy.', { code: fencedCode })

export const fencedCode = 'FENCED'
