import { systemClock, type Clock } from '../../../packages/clock/clock.ts'

/**
 * The right time of day in a process whose own time runs faster: what is looked after every minute is looked after every
 * second, and what is five minutes old has grown old in five seconds.
 */
export class HastyClock implements Clock {
  readonly #times: number

  constructor(times = 60) {
    this.#times = times
  }

  now(): Date {
    return systemClock.now()
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() * this.#times
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms < 1_000 ? ms : ms / this.#times, signal)
  }

  deadline(ms: number, reason?: () => unknown) {
    return systemClock.deadline(ms, reason)
  }
}
