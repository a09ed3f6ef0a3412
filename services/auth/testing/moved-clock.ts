import { systemClock, type Clock } from '../../../packages/clock/clock.ts'

/** The real clock, moved forward by hand: what expires in days expires in a test, and sockets still work. */
export class MovedClock implements Clock {
  #aheadMs = 0

  now(): Date {
    return new Date(systemClock.now().getTime() + this.#aheadMs)
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#aheadMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal)
  }

  deadline(ms: number, reason?: () => unknown) {
    return systemClock.deadline(ms, reason)
  }

  forward(seconds: number): void {
    this.#aheadMs += seconds * 1_000
  }
}
