import type { Clock } from '../../../packages/clock/clock.ts'
import { pause } from '../../../packages/clock/pause.ts'
import { unavailable } from '../../../packages/faults/fault.ts'

/**
 * Lets messages pass at most so fast, in the order in which they came: whoever comes too early waits, and its connection
 * is not read meanwhile.
 */
export class Pace {
  readonly #clock: Clock
  readonly #gapMs: number
  readonly #ending = new AbortController()
  #nextMs = 0
  /** The turn of whoever came last. A timer can be late, and nobody passes one whose turn has come meanwhile. */
  #last: Promise<void> = Promise.resolve()

  constructor(messagesPerMinute: number, clock: Clock) {
    this.#clock = clock
    this.#gapMs = 60_000 / messagesPerMinute
  }

  turn(): Promise<void> {
    const at = Math.max(this.#clock.monotonicMs(), this.#nextMs)
    this.#nextMs = at + this.#gapMs
    this.#last = this.#last.then(() => this.#until(at))
    return this.#last
  }

  /** Whoever still waits has no connection to be answered on: its turn never comes, and its sender sends it again. */
  end(): void {
    this.#ending.abort(unavailable('The channel was closed. Send it again later.'))
  }

  async #until(at: number): Promise<void> {
    const { signal } = this.#ending
    const waitMs = at - this.#clock.monotonicMs()
    if (waitMs > 0 && !signal.aborted) await pause(this.#clock, waitMs, signal)
    signal.throwIfAborted()
  }
}
