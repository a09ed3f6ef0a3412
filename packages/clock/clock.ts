import { setTimeout as delay } from 'node:timers/promises'

/** Time as the code sees it. Everything that waits or stamps takes one, so that a test can run a day in a millisecond. */
export interface Clock {
  /** The wall clock. It may jump; use it for stamps, never for durations. */
  now(): Date
  /** Milliseconds that only ever grow; for durations and deadlines. */
  monotonicMs(): number
  /** Resolves after the given time, or rejects with the signal's reason when that comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A signal that aborts after the given time, for deadlines. The reason is made only when it is needed. */
  deadline(ms: number, reason?: () => unknown): Deadline
}

/** Dispose it when the work is done, so that no timer is left behind. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  // Node has an error of its own for it, whose cause the reason is.
  sleep: (ms, signal) =>
    signal === undefined ? delay(ms) : delay(ms, undefined, { signal }).catch(() => Promise.reject(signal.reason)),
  deadline(ms, reason = timedOut) {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(reason()), ms)
    return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) }
  },
}

/** What a deadline gives for its reason unless told otherwise. */
export const timedOut = (): unknown => new DOMException('The deadline passed', 'TimeoutError')
