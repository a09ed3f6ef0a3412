import type { ChannelId } from '../pipeline/channel.ts'

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
