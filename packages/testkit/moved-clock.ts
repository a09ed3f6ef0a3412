import { systemClock, type Clock } from '../clock/clock.ts'

/** The real clock, moved by hand: what expires in days expires in a test, and sockets still work. */
export class MovedClock implements Clock {
  readonly #stoppedAt: Date | undefined
  #wallMs = 0
  #monotonicMs = 0

  /** Given a moment, the wall clock stands there and only the test moves it: a second is exactly a second. */
  constructor(stoppedAt?: Date) {
    this.#stoppedAt = stoppedAt
  }

  now(): Date {
    return new Date(this.#unmoved().getTime() + this.#wallMs)
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#monotonicMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal)
  }

  deadline(ms: number, reason?: () => unknown) {
    return systemClock.deadline(ms, reason)
  }

  /** As an operator or a time server does, wrongly or rightly: only the wall clock moves. */
  set(date: Date): void {
    this.#wallMs = date.getTime() - this.#unmoved().getTime()
  }

  /** Time passes at once, by every measure. */
  forward(seconds: number): void {
    this.#wallMs += seconds * 1_000
    this.#monotonicMs += seconds * 1_000
  }

  #unmoved(): Date {
    return this.#stoppedAt ?? systemClock.now()
  }
}
