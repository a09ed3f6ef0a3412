import { hash } from 'node:crypto'

/** Work that waits in a table. */
export interface NewTask {
  /** A job's queue or a message's topic. */
  readonly queue: string
  /** Tasks of one queue and key are done one after the other, in the order in which they were added. */
  readonly key?: string
  readonly payload: unknown
  /** Not before this instant; at once if not given. */
  readonly notBefore?: Date
}

/** A task that is ours until the lease ends. The lease is its fence: with another one, nothing can be changed. */
export interface ClaimedTask<Payload = unknown> {
  readonly shard: number
  /** Stays the same over all attempts, so a receiver can tell a repetition. */
  readonly id: string
  readonly queue: string
  readonly key: string | null
  readonly payload: Payload
  /** The first is 1. */
  readonly attempt: number
  readonly lease: string
  readonly createdAt: Date
}

export interface DeadTask {
  readonly id: string
  readonly queue: string
  readonly key: string | null
  readonly payload: unknown
  readonly attempts: number
  readonly deadAt: Date
  readonly lastError: string
}

/** Fixed for good: rows that are in a table already carry it. */
const shardCount = 64

/** Tasks of one key share a shard, so that a distributed engine can keep and order them in one place. */
export function shardOf(keyOrId: string): number {
  return hash('sha256', keyOrId, 'buffer').readUInt16BE(0) % shardCount
}
