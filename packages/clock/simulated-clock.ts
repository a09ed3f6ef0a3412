import { timedOut, type Clock, type Deadline } from './clock.ts'

interface Timer {
  readonly at: number
  readonly fire: () => void
}

/** A clock that moves only when told. Timers fire in the order of their time, then of their making. */
export class SimulatedClock implements Clock {
  #wallMs: number
  #monotonicMs = 0
  #timers: Timer[] = []

  constructor(start: string | Date = '2026-01-01T00:00:00Z') {
    this.#wallMs = new Date(start).getTime()
  }

  now(): Date {
    return new Date(this.#wallMs)
  }

  monotonicMs(): number {
    return this.#monotonicMs
  }

  /** How many sleepers and deadlines wait. */
  get waiting(): number {
    return this.#timers.length
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const onAbort = () => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = this.#schedule(ms, () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      })
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  deadline(ms: number, reason: () => unknown = timedOut): Deadline {
    const controller = new AbortController()
    const cancel = this.#schedule(ms, () => controller.abort(reason()))
    return { signal: controller.signal, [Symbol.dispose]: cancel }
  }

  /** Moves time forward, firing what falls due on the way and letting each one's continuations run before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonicMs + ms
    await this.#fireUntil(end)
    this.#moveTo(end)
    await settle()
  }

  /**
   * Time has passed all at once, as for a process that was suspended: what fell due meanwhile fires at the end of it,
   * late, and what looks every second looks once. Where only the time counts, this saves the looks on the way.
   */
  async leap(ms: number): Promise<void> {
    const end = this.#monotonicMs + ms
    await settle()
    this.#moveTo(end)
    await this.#fireUntil(end)
  }

  /** The wall clock jumps, as an operator or a time server makes it; durations do not notice. */
  jump(ms: number): void {
    this.#wallMs += ms
  }

  async #fireUntil(end: number): Promise<void> {
    for (;;) {
      await settle()
      const next = this.#next
      if (next === undefined || next.at > end) return
      this.#timers.splice(this.#timers.indexOf(next), 1)
      this.#moveTo(Math.max(next.at, this.#monotonicMs))
      next.fire()
    }
  }

  /** They stand in the order of their making: the first of those that are due first. */
  get #next(): Timer | undefined {
    return this.#timers.reduce<Timer | undefined>(
      (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
      undefined,
    )
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs
    this.#monotonicMs = monotonicMs
  }

  #schedule(ms: number, fire: () => void): () => void {
    const timer = { at: this.#monotonicMs + Math.max(0, ms), fire }
    this.#timers.push(timer)
    return () => {
      const index = this.#timers.indexOf(timer)
      if (index >= 0) this.#timers.splice(index, 1)
    }
  }
}

/** A turn of the event loop: every promise that can settle has settled. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
