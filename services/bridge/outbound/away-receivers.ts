import { LRUCache } from 'lru-cache'
import { waitAfterAttemptMs, type Backoff } from '../../../packages/clock/backoff.ts'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Random } from '../../../packages/clock/ids.ts'
import { faultOf, type Fault } from '../../../packages/faults/fault.ts'
import { neverHadTurn, wasNeverConnected } from '../../../packages/http/outbound/outbound-faults.ts'
import type { Log } from '../../../packages/log/log.ts'
import { isUntried, untriedFor } from '../../../packages/sql/tasks/task-attempt.ts'
import { turnTooLate } from './turn-too-late.ts'

interface AwayReceiversDeps {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly backoff: Backoff
  /** So long a look may take. */
  readonly lookMs: number
}

interface Away {
  readonly shown: string
  readonly failures: number
  readonly untilMs: number
  /** One has gone to see whether it is back. */
  isLookedFor: boolean
}

/** As many as have connections; one that was forgotten is found to be away again. */
const receiversMax = 100

/** After so many looks in vain it is no restart any more. */
const lastingLooks = 3

/**
 * Receivers to which no connection can be made. Whatever is meant for one waits, and costs no attempt: nothing was sent, and
 * who is away is away for all. One delivery at a time looks whether it is back, less and less often.
 */
export class AwayReceivers {
  readonly #deps: AwayReceiversDeps
  readonly #away = new LRUCache<string, Away>({ max: receiversMax })

  constructor(deps: AwayReceiversDeps) {
    this.#deps = deps
  }

  /** Sends, or throws what gives the delivery back until it is worth a look. */
  async reach<T>(receiver: string, send: () => Promise<T>): Promise<T> {
    const away = this.#away.get(receiver)
    if (away !== undefined) {
      if (away.isLookedFor || this.#waitMs(away) > 0) throw this.#notYet(away)
      away.isLookedFor = true
    }
    try {
      const answer = await send()
      this.#back(receiver)
      return answer
    } catch (thrown) {
      const fault = faultOf(thrown)
      // A turn that did not come says nothing. Whoever refuses, or is silent, is there.
      if (isUntried(fault)) throw fault
      if (neverHadTurn(fault)) throw turnTooLate()
      if (isUnreached(fault)) throw this.#notYet(this.#lost(receiver, fault))
      this.#back(receiver)
      throw fault
    } finally {
      if (away !== undefined) away.isLookedFor = false
    }
  }

  /** Whether it is more than a restart. */
  isLastingly(receiver: string): boolean {
    return (this.#away.get(receiver)?.failures ?? 0) >= lastingLooks
  }

  /** Those that failed together have found out one thing. */
  #lost(receiver: string, { shown }: Fault): Away {
    const { clock, random, log, backoff } = this.#deps
    const before = this.#away.get(receiver)
    if (before !== undefined && this.#waitMs(before) > 0) return before
    const failures = (before?.failures ?? 0) + 1
    const waitMs = waitAfterAttemptMs(failures, backoff, random)
    if (before === undefined) log.warn('receiver is away', { host: receiver, error: shown, waitMs })
    const away = { shown, failures, untilMs: clock.monotonicMs() + waitMs, isLookedFor: false }
    this.#away.set(receiver, away)
    return away
  }

  #back(receiver: string): void {
    if (this.#away.delete(receiver)) this.#deps.log.info('receiver is back', { host: receiver })
  }

  /**
   * A little later than the first look, and not all at once. While one looks, when it must have seen: where thousands wait,
   * each would come again and again while a network that swallows everything is waited for.
   */
  #notYet(away: Away): Fault {
    const { random, backoff, lookMs } = this.#deps
    const leastMs = away.isLookedFor ? Math.max(backoff.baseMs, lookMs) : backoff.baseMs
    const waitMs = Math.max(this.#waitMs(away), leastMs) * (1 + backoff.jitter * random.fraction())
    return untriedFor(waitMs, away.shown)
  }

  #waitMs({ untilMs }: Away): number {
    return untilMs - this.#deps.clock.monotonicMs()
  }
}

/** No connection was there: nothing of it has left. */
const isUnreached = (fault: Fault): boolean => fault.code === 'MLLP_CONNECT' || wasNeverConnected(fault)
