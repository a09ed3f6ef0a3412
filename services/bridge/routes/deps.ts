import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { routeFor } from '../../../packages/http/route.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { CachedTerminology } from '../../../ports/terminology/cached-terminology.ts'
import type { Breakers } from '../breakers/breakers.ts'
import type { LiveEvents } from '../live/live-events.ts'
import type { Dispatch } from '../outbound/start-dispatch.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import type { TransactionRow } from '../store/transactions.ts'

/** What the admin API works with. */
export interface AdminDeps {
  readonly database: Database
  /** Acts for the bridge: what it has written, it may show again. */
  readonly store: FhirStore
  readonly breakers: Pick<Breakers, 'entryOf' | 'reset'>
  readonly channels: ChannelControl
  readonly retries: Retries
  readonly dispatch: Pick<Dispatch, 'listSubscriptions' | 'listDeliveries' | 'deliveriesOf' | 'resend' | 'summaryOf'>
  readonly live: Pick<LiveEvents, 'watchFor'>
  readonly terminology: Pick<CachedTerminology, 'forget'>
  readonly clock: Clock
  readonly ids: Ids
}

export const adminRoute = routeFor<AdminDeps>()

export type ChannelStatus = 'STARTING' | 'RUNNING' | 'PAUSED' | 'STOPPED' | 'ERROR'

export interface ChannelRecord {
  readonly id: ChannelId
  readonly port: number
  readonly messageType: string
  readonly status: ChannelStatus
  readonly messagesReceived: number
  readonly messagesSucceeded: number
  readonly messagesFailed: number
  readonly lastMessageAt: Date | undefined
}

export interface ChannelStats {
  readonly duplicates: number
  readonly queued: number
  readonly rejected: number
  readonly bytes: number
  readonly activeConnections: number
  /** Senders from addresses that are not allowed, and those that were one too many. */
  readonly connectionsRefused: number
  readonly tlsFailures: number
  readonly framingErrors: number
  readonly ackCodes: Readonly<Record<string, number>>
  readonly byTrigger: Readonly<Record<string, number>>
  readonly durationMs: { avg: number; p50: number; p95: number; p99: number; max: number }
  /** Messages a second over the last one, five and fifteen minutes. */
  readonly rate: { m1: number; m5: number; m15: number }
  readonly since: Date
}

/** The eight listeners, as an operator works with them. */
export interface ChannelControl {
  list(): Promise<readonly ChannelRecord[]>
  find(id: ChannelId): Promise<ChannelRecord>
  /** Which one listens there, or would while it is paused. */
  atPort(port: number): ChannelId | undefined
  stats(id: ChannelId): Promise<ChannelStats>
  pause(id: ChannelId, by: string): Promise<void>
  resume(id: ChannelId, by: string): Promise<void>
}

/** Messages that failed, once more. */
export interface Retries {
  /** Resolves when it is through, or after two seconds: then it goes on by itself. */
  retry(transactionId: string, by: string): Promise<RetryAnswer>
  /** Begins one and does not wait for its end. False where it did not fail any more, or cannot be run. */
  begin(transactionId: string, by: string): Promise<boolean>
  retryBatch(filter: RetryFilter, by: string): Promise<RetryBatchAnswer>
  /** Messages that succeeded, run again because something that they needed is known now. */
  rerun(transactionIds: readonly string[], by: string): Promise<number>
  /** Parked messages are tried now instead of at their time; how many there are. */
  drain(): Promise<number>
}

export interface RetryFilter {
  readonly facilityCode?: string | undefined
  readonly errorCode?: string | undefined
}

export type RetryAnswer =
  | { readonly is: 'accepted'; readonly transaction: TransactionRow }
  | { readonly is: 'unknown' }
  | { readonly is: 'not-failed'; readonly status: string }
  | { readonly is: 'pruned' }

export interface RetryBatchAnswer {
  readonly matched: number
  readonly accepted: number
  readonly skipped: number
  readonly transactionIds: readonly string[]
}
