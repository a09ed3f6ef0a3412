import type { Clock } from '../../../packages/clock/clock.ts'

/** Lets messages pass at most so fast: whoever comes too early waits, and its connection is not read meanwhile. */
export class Pace {
  readonly #clock: Clock
  readonly #gapMs: number
  #nextMs = 0

  constructor(messagesPerMinute: number, clock: Clock) {
    this.#clock = clock
    this.#gapMs = 60_000 / messagesPerMinute
  }

  async turn(): Promise<void> {
    const now = this.#clock.monotonicMs()
    const at = Math.max(now, this.#nextMs)
    this.#nextMs = at + this.#gapMs
    if (at > now) await this.#clock.sleep(at - now)
  }
}
