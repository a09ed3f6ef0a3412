import type { Clock } from '../../../packages/clock/clock.ts'
import type { Random } from '../../../packages/clock/ids.ts'

/** What ends when a copy is killed: from then on none of its timers fires, and nobody hears of it again. */
export class Life {
  isOver = false
  readonly #onEnd = new Set<() => void>()

  end(): void {
    this.isOver = true
    for (const tell of this.#onEnd) tell()
  }

  /** Resolves when it ends. */
  get ended(): Promise<void> {
    return new Promise((resolve) => (this.isOver ? resolve() : void this.#onEnd.add(resolve)))
  }
}

/** The clock of one copy: it dies with the copy, and its wall time may be wrong. */
export class MortalClock implements Clock {
  readonly #time: Clock
  readonly #life: Life
  #wrongMs = 0

  constructor(time: Clock, life: Life) {
    this.#time = time
    this.#life = life
  }

  now(): Date {
    return new Date(this.#time.now().getTime() + this.#wrongMs)
  }

  monotonicMs(): number {
    return this.#time.monotonicMs()
  }

  jump(ms: number): void {
    this.#wrongMs += ms
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#time.sleep(ms, signal)
    if (this.#life.isOver) await silence()
  }

  deadline(ms: number, reason?: () => unknown) {
    const passed = this.#time.deadline(ms, reason)
    const own = new AbortController()
    passed.signal.addEventListener('abort', () => this.#life.isOver || own.abort(passed.signal.reason), { once: true })
    return { signal: own.signal, [Symbol.dispose]: () => passed[Symbol.dispose]() }
  }
}

/** A promise that is never kept, for one who is gone. Each has its own: one for all would keep every world in memory. */
export const silence = (): Promise<never> => new Promise(() => {})

/** Mostly short, sometimes long: as times of answers are. */
export function someDelayMs(random: Random, { usual, longest }: { usual: number; longest: number }): number {
  return random.below(20) === 0 ? random.below(longest) : random.below(usual)
}
