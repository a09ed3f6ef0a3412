import type { Clock } from '../../../packages/clock/clock.ts'
import { pause } from '../../../packages/clock/pause.ts'

/**
 * Lets messages pass until it ends, where there is a limit at most so fast and in the order in which they came: whoever
 * comes too early waits, and its connection is not read meanwhile.
 */
export class Pace {
  readonly #clock: Clock
  readonly #gapMs: number
  readonly #ending = new AbortController()
  #nextMs = 0
  /** The turn of whoever came last. A timer can be late, and nobody passes one whose turn has come meanwhile. */
  #last: Promise<boolean> = Promise.resolve(true)

  constructor(messagesPerMinute: number | undefined, clock: Clock) {
    this.#clock = clock
    this.#gapMs = messagesPerMinute === undefined ? 0 : 60_000 / messagesPerMinute
  }

  /** Resolves when the next one may pass; with false when none may any more. */
  turn(): Promise<boolean> {
    if (this.#gapMs === 0) return Promise.resolve(!this.#ending.signal.aborted)
    const at = Math.max(this.#clock.monotonicMs(), this.#nextMs)
    this.#nextMs = at + this.#gapMs
    this.#last = this.#last.then(() => this.#until(at))
    return this.#last
  }

  /** Nothing passes any more, not even whoever waits: its sender hears nothing of it, and sends it again. */
  end(): void {
    this.#ending.abort()
  }

  async #until(at: number): Promise<boolean> {
    const { signal } = this.#ending
    const waitMs = at - this.#clock.monotonicMs()
    if (waitMs > 0 && !signal.aborted) await pause(this.#clock, waitMs, signal)
    return !signal.aborted
  }
}
