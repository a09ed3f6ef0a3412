import type { Clock } from '../../../packages/clock/clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'

/** Lets messages pass at most so fast: whoever comes too early waits, and its connection is not read meanwhile. */
export class Pace {
  readonly #clock: Clock
  readonly #gapMs: number
  readonly #ending = new AbortController()
  #nextMs = 0

  constructor(messagesPerMinute: number, clock: Clock) {
    this.#clock = clock
    this.#gapMs = 60_000 / messagesPerMinute
  }

  async turn(): Promise<void> {
    this.#ending.signal.throwIfAborted()
    const now = this.#clock.monotonicMs()
    const at = Math.max(now, this.#nextMs)
    this.#nextMs = at + this.#gapMs
    if (at > now) await this.#clock.sleep(at - now, this.#ending.signal)
  }

  /** Whoever still waits has no connection to be answered on: its turn never comes, and its sender sends it again. */
  end(): void {
    this.#ending.abort(unavailable('The channel was closed. Send it again later.'))
  }
}
