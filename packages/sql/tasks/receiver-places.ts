import type { Clock } from '../../clock/clock.ts'
import type { Random } from '../../clock/ids.ts'
import type { Fault } from '../../faults/fault.ts'
import { untriedFor } from './task-attempt.ts'

interface ReceiverPlacesDeps {
  readonly clock: Pick<Clock, 'monotonicMs' | 'deadline'>
  readonly random: Pick<Random, 'fraction'>
  /** How many may be on their way to one receiver. */
  readonly share: number
}

/** What is on its way to one receiver, and what waits to be. */
interface Receiver {
  held: number
  /** Whoever comes first is let go first. */
  readonly waiting: Set<() => void>
  slowUntilMs: number
  /** When the last of those that were given back comes again. */
  lastBackMs: number
}

/** How long a delivery waits for those before it. One that is quick makes room in a fraction of that. */
export const turnPatienceMs = 1_000

/** Where somebody has waited so long in vain, nobody waits for this time: each would hold a place and do nothing. */
const slowMs = 10_000

/** They come back one after the other: more than a slow receiver takes, and not all at once. */
const apartMs = 10
const backWithinMs = 60_000

/**
 * Receivers share the deliveries that are under way. One that is slow, or silent, has its share and no more: what is meant
 * for it beyond that is given back untried for a while, and what is meant for others passes.
 */
export class ReceiverPlaces {
  readonly #deps: ReceiverPlacesDeps
  readonly #receivers = new Map<string, Receiver>()

  constructor(deps: ReceiverPlacesDeps) {
    this.#deps = deps
  }

  /** Sends when there is a place, or throws what gives the delivery back until there may be one. */
  async hold<T>(name: string, send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const receiver = this.#of(name)
    if (receiver.held < this.#deps.share) receiver.held++
    else await this.#turn(receiver, signal)
    try {
      signal.throwIfAborted()
      return await send()
    } finally {
      this.#leave(name, receiver)
    }
  }

  #of(name: string): Receiver {
    const known = this.#receivers.get(name)
    if (known !== undefined) return known
    const never = Number.NEGATIVE_INFINITY
    const receiver = { held: 0, waiting: new Set<() => void>(), slowUntilMs: never, lastBackMs: never }
    this.#receivers.set(name, receiver)
    return receiver
  }

  /** Resolves with the place of one that is through. */
  async #turn(receiver: Receiver, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps
    if (clock.monotonicMs() < receiver.slowUntilMs) throw this.#givenBack(receiver)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    receiver.waiting.add(resolve)
    using patience = clock.deadline(turnPatienceMs)
    const inVain = () => {
      if (!receiver.waiting.delete(resolve)) return
      receiver.slowUntilMs = clock.monotonicMs() + slowMs
      reject(this.#givenBack(receiver))
    }
    const unwanted = () => {
      if (receiver.waiting.delete(resolve)) reject(signal.reason)
    }
    patience.signal.addEventListener('abort', inVain, { once: true })
    signal.addEventListener('abort', unwanted, { once: true })
    await promise
  }

  #givenBack(receiver: Receiver): Fault {
    const { clock, random } = this.#deps
    const nowMs = clock.monotonicMs()
    const backMs = Math.max(receiver.lastBackMs, nowMs + turnPatienceMs) + apartMs
    receiver.lastBackMs = Math.min(backMs, nowMs + backWithinMs)
    const waitMs = (receiver.lastBackMs - nowMs) * (0.9 + 0.2 * random.fraction())
    return untriedFor(waitMs, 'The receiver is slow, and others are on their way to it.')
  }

  #leave(name: string, receiver: Receiver): void {
    const [next] = receiver.waiting
    if (next !== undefined) {
      receiver.waiting.delete(next)
      return next()
    }
    receiver.held--
    if (receiver.held === 0) this.#receivers.delete(name)
  }
}
