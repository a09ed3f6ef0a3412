import type { Clock } from '../../clock/clock.ts'
import { pause } from '../../clock/pause.ts'

/** Wakes one sleeper before its time. A ring that nobody hears is kept for the next one who lies down. */
export class Bell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** True when the bell rang, false when the time passed. */
  async wait(clock: Clock, ms: number): Promise<boolean> {
    if (!this.#rung && ms > 0) await this.#sleep(clock, ms)
    const rung = this.#rung
    this.#rung = false
    return rung
  }

  async #sleep(clock: Clock, ms: number): Promise<void> {
    const controller = new AbortController()
    // With a reason of its own, because the default one is an error with a stack, made anew for each ring.
    this.#wake = () => controller.abort('rung')
    try {
      await pause(clock, ms, controller.signal)
    } finally {
      this.#wake = undefined
    }
  }
}
