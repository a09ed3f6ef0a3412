import { LRUCache } from 'lru-cache'
import type { Clock } from '../../packages/clock/clock.ts'
import { tooMuch } from '../../packages/faults/fault.ts'
import type { FailureLimiter } from '../../packages/http/rate-limit.ts'
import type { Database } from '../../packages/sql/database.ts'
import type { Limits } from './deps.ts'
import { digestOf } from './secrets/digest.ts'
import { block, blockedUntil, countFailure, forgetFailures } from './store/failures.ts'

interface LimitDeps {
  readonly database: Database
  readonly clock: Clock
}

/** Failures only: a hospital's staff, a test suite and all services of a host share one address. Nobody is ever locked out for good. */
export function failureLimits(deps: LimitDeps): Limits {
  const minute = 60_000
  return {
    account: new SharedFailureLimiter('account', { windowMs: 60 * minute, blockMs: growingDelayMs }, deps),
    address: new SharedFailureLimiter('address', { windowMs: minute, blockMs: restOfMinuteAfter(20) }, deps),
    client: new SharedFailureLimiter('client', { windowMs: minute, blockMs: restOfMinuteAfter(60) }, deps),
  }
}

interface Policy {
  readonly windowMs: number
  /** How long the key must wait after so many failures, the first of which was so long ago. */
  readonly blockMs: (failures: number, sinceFirstMs: number) => number
}

/** The fifth failure costs two seconds, each further one twice as much, a quarter of an hour at most. */
function growingDelayMs(failures: number): number {
  return failures < 5 ? 0 : Math.min(900, 2 ** (failures - 4)) * 1_000
}

const restOfMinuteAfter = (failuresMax: number) => (failures: number, sinceFirstMs: number) =>
  failures < failuresMax ? 0 : Math.max(1_000, 60_000 - sinceFirstMs)

/** How long a "may try" is believed, so that a busy client does not cost a query each time. */
const believedMs = 1_000

class SharedFailureLimiter implements FailureLimiter {
  readonly #name: string
  readonly #policy: Policy
  readonly #deps: LimitDeps
  readonly #free = new LRUCache<string, number>({ max: 10_000 })

  constructor(name: string, policy: Policy, deps: LimitDeps) {
    this.#name = name
    this.#policy = policy
    this.#deps = deps
  }

  async check(key: string): Promise<void> {
    const { clock, database } = this.#deps
    const believedAt = this.#free.get(key)
    if (believedAt !== undefined && clock.monotonicMs() - believedAt < believedMs) return
    const now = clock.now()
    const until = await blockedUntil(this.#hash(key), now, database)
    if (until === undefined) return void this.#free.set(key, clock.monotonicMs())
    const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))
    throw tooMuch('Too many failed attempts. Wait, then try again.', { retryAfterSeconds })
  }

  async failed(key: string): Promise<void> {
    const { clock, database } = this.#deps
    const now = clock.now()
    this.#free.delete(key)
    const since = new Date(now.getTime() - this.#policy.windowMs)
    const { failures, startedAt } = await countFailure(this.#hash(key), { now, since }, database)
    const waitMs = this.#policy.blockMs(failures, now.getTime() - startedAt.getTime())
    if (waitMs > 0) await block(this.#hash(key), new Date(now.getTime() + waitMs), database)
  }

  async succeeded(key: string): Promise<void> {
    await forgetFailures(this.#hash(key), this.#deps.database)
  }

  /** What was typed as a user name may be a password; it is not kept in the clear. */
  #hash(key: string): string {
    return digestOf(`${this.#name}:${key}`)
  }
}
