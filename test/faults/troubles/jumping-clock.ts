import { systemClock, type Clock } from '../../../packages/clock/clock.ts'

/** The real clock of a machine whose wall clock is set, wrongly or rightly, while it runs. */
export class JumpingClock implements Clock {
  #wallMs = 0
  #monotonicMs = 0

  now(): Date {
    return new Date(systemClock.now().getTime() + this.#wallMs)
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

  /** As an operator or a time server does: only the wall clock moves. */
  set(date: Date): void {
    this.#wallMs = date.getTime() - systemClock.now().getTime()
  }

  /** Time passes at once, by every measure. */
  forward(ms: number): void {
    this.#wallMs += ms
    this.#monotonicMs += ms
  }
}
