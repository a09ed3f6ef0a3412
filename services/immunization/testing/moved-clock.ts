import { systemClock, type Clock } from '../../../packages/clock/clock.ts'

/** A wall clock that only the test moves, so that a second is exactly a second; what waits, waits in real time. */
export class MovedClock implements Clock {
  #now = new Date('2026-03-04T10:00:00Z')
  #aheadMs = 0

  now(): Date {
    return new Date(this.#now)
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
    this.#now = new Date(this.#now.getTime() + seconds * 1_000)
    this.#aheadMs += seconds * 1_000
  }
}
