import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../packages/clock/clock.ts'
import { tooMuch } from '../../../packages/faults/fault.ts'
import type { Attempt, FailureLimiter } from '../../../packages/http/rate-limit.ts'
import type { Database, Queryable } from '../../../packages/sql/database.ts'
import type { Limits } from '../deps.ts'
import { digestOf } from '../secrets/digest.ts'
import { block, countFailure, forgetFailures, pastFailures, type PastFailures } from '../store/failures.ts'
import { browsersOf } from '../store/known-browsers.ts'
import { Turns } from './turns.ts'

interface LimitDeps {
  readonly database: Database
  readonly clock: Clock
}

/** Failures only: a hospital's staff, a test suite and all services of a host share one address. Nobody is ever locked out for good. */
export function failureLimits(deps: LimitDeps): Limits {
  const minute = 60_000
  const ofMinute = (failuresMax: number) => ({ windowMs: minute, failuresMax, blockMs: restOfMinute })
  return {
    account: new SharedFailureLimiter(
      'account',
      { windowMs: 60 * minute, failuresMax: 5, blockMs: growingDelay },
      deps,
    ),
    address: new SharedFailureLimiter('address', ofMinute(20), deps),
    // Asked by every token request, so it costs none of them a query of its own.
    client: new SharedFailureLimiter('client', { ...ofMinute(60), believedMs: 1_000 }, deps),
    request: new SharedFailureLimiter('request', { ...ofMinute(60), believedMs: 1_000 }, deps),
    launch: new SharedFailureLimiter('launch', { ...ofMinute(60), believedMs: 1_000 }, deps),
  }
}

interface Policy {
  readonly windowMs: number
  /** From so many on the key must wait. */
  readonly failuresMax: number
  /** How long after so many too many, the first failure of all being so long ago. */
  readonly blockMs: (tooMany: number, sinceFirstMs: number) => number
  /** For how long what was read of a key is believed; else it is read for each attempt. */
  readonly believedMs?: number
}

/** The first failure too many costs two seconds, each further one twice as much, a quarter of an hour at most. */
const growingDelay = (tooMany: number): number => Math.min(900, 2 ** (tooMany + 1)) * 1_000

const restOfMinute = (_tooMany: number, sinceFirstMs: number): number => Math.max(1_000, 60_000 - sinceFirstMs)

/** What was read of a key, and until when that is believed; nothing while it is being read. */
interface Known {
  readonly untilMs: number
  past?: PastFailures
}

class SharedFailureLimiter implements FailureLimiter {
  readonly #name: keyof Limits
  readonly #policy: Policy
  readonly #deps: LimitDeps
  readonly #turns = new Turns()
  readonly #known = new LRUCache<string, Known>({ max: 10_000 })

  constructor(name: keyof Limits, policy: Policy, deps: LimitDeps) {
    this.#name = name
    this.#policy = policy
    this.#deps = deps
  }

  async begin(key: string): Promise<Attempt> {
    const turn = await this.#turns.take(key, () => this.#believed(key) ?? this.#roomAfterReading(key))
    return { ...turn, failed: () => this.#failed(key), succeeded: () => this.#succeeded(key) }
  }

  #believed(key: string): number | undefined {
    const known = this.#known.get(key)
    if (known?.past === undefined || this.#deps.clock.monotonicMs() >= known.untilMs) return undefined
    return this.#roomAfter(known.past)
  }

  async #roomAfterReading(key: string): Promise<number> {
    const { clock, database } = this.#deps
    const { believedMs = 0 } = this.#policy
    const known: Known = { untilMs: clock.monotonicMs() + believedMs }
    // Before it is read: a failure that is stored meanwhile takes it away again, and nobody believes what came before.
    if (believedMs > 0) this.#known.set(key, known)
    known.past = await pastFailures(this.#hash(key), this.#times(), database)
    return this.#roomAfter(known.past)
  }

  /** How many may try at once: if all of them fail it is not too often. After that one at a time, when the wait is over. */
  #roomAfter({ failures, blockedUntil }: PastFailures): number {
    const waitMs = (blockedUntil?.getTime() ?? 0) - this.#deps.clock.now().getTime()
    if (waitMs <= 0) return Math.max(1, this.#policy.failuresMax - failures)
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
    throw tooMuch('Too many failed attempts. Wait, then try again.', { retryAfterSeconds })
  }

  async #failed(key: string): Promise<void> {
    const { database } = this.#deps
    const times = this.#times()
    const { failures, startedAt } = await countFailure(this.#hash(key), times, database)
    const { failuresMax, blockMs } = this.#policy
    if (failures >= failuresMax) {
      const waitMs = blockMs(failures - failuresMax, times.now.getTime() - startedAt.getTime())
      await block(this.#hash(key), new Date(times.now.getTime() + waitMs), database)
    }
    this.#forget(key)
  }

  async #succeeded(key: string): Promise<void> {
    await forgetFailures([this.#hash(key)], this.#deps.database)
    this.#forget(key)
  }

  #forget(key: string): void {
    this.#known.delete(key)
    this.#turns.changed(key)
  }

  #times() {
    const now = this.#deps.clock.now()
    return { now, since: new Date(now.getTime() - this.#policy.windowMs) }
  }

  #hash(key: string): string {
    return failureKey(this.#name, key)
  }
}

/** What was typed as a user name may be a password; it is not kept in the clear. */
const failureKey = (limit: keyof Limits, key: string): string => digestOf(`${limit}:${key}`)

/** What is tried at an account is counted together, and what is tried with a browser that is known by itself (decision 1211). */
export const accountKey = (username: string, knownBrowser?: string): string =>
  knownBrowser === undefined ? username.toLowerCase() : `${username.toLowerCase()} ${knownBrowser}`

/** Who has got another password need not wait for what was tried with the one before, wherever it was. */
export async function forgetFailuresOfAccount(username: string, on: Queryable): Promise<void> {
  const browsers = await browsersOf(username.toLowerCase(), on)
  const keys = [undefined, ...browsers].map((browser) => failureKey('account', accountKey(username, browser)))
  await forgetFailures(keys, on)
}
