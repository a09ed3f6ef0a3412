import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/clock.ts'
import { Fault, tooMuch, type FaultKind } from '../faults/fault.ts'

/**
 * Counts failures, never successes: a hospital's whole staff may share one address. Keys are made by the caller
 * (an address, an account, both). Several copies of a service share one by keeping it in the database.
 */
export interface FailureLimiter {
  /** Throws a fault with the time to wait once the key has failed too often. */
  check(key: string): Promise<void>
  failed(key: string): Promise<void>
  /** Forgets the key's failures, after a success that proves who it is. */
  succeeded(key: string): Promise<void>
}

export interface FailureLimit {
  readonly failuresMax: number
  readonly windowMs: number
  /** How many keys are remembered; the one that failed longest ago is forgotten first. */
  readonly keysMax?: number
}

interface Count {
  readonly failures: number
  readonly endsAtMs: number
}

/** Within one process: a window opens with a key's first failure and closes after its time. */
export class MemoryFailureLimiter implements FailureLimiter {
  readonly #limit: FailureLimit
  readonly #clock: Clock
  readonly #counts: LRUCache<string, Count>

  constructor(limit: FailureLimit, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
    this.#counts = new LRUCache({ max: limit.keysMax ?? 10_000 })
  }

  async check(key: string): Promise<void> {
    const count = this.#open(key)
    if (count === undefined || count.failures < this.#limit.failuresMax) return
    const retryAfterSeconds = Math.ceil((count.endsAtMs - this.#clock.monotonicMs()) / 1_000)
    throw tooMuch('Too many failed attempts. Wait, then try again.', { retryAfterSeconds })
  }

  async failed(key: string): Promise<void> {
    const count = this.#open(key) ?? { failures: 0, endsAtMs: this.#clock.monotonicMs() + this.#limit.windowMs }
    this.#counts.set(key, { ...count, failures: count.failures + 1 })
  }

  async succeeded(key: string): Promise<void> {
    this.#counts.delete(key)
  }

  #open(key: string): Count | undefined {
    const count = this.#counts.get(key)
    return count !== undefined && count.endsAtMs > this.#clock.monotonicMs() ? count : undefined
  }
}

/** Does the work unless the key has failed too often, and counts it when it fails in one of the given ways. */
export async function limitFailures<Result>(
  limiter: FailureLimiter,
  key: string,
  work: () => Promise<Result>,
  counted: readonly FaultKind[] = ['incorrect', 'unauthenticated', 'forbidden'],
): Promise<Result> {
  await limiter.check(key)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && counted.includes(error.kind)) await limiter.failed(key)
    throw error
  }
}
