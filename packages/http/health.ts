import type { Clock } from '../clock/clock.ts'

/** Throws when the part is not well; what it throws is not shown. It must heed the signal. */
export type HealthCheck = (signal: AbortSignal) => Promise<void>

export interface Health {
  readonly status: 'UP' | 'DOWN'
  readonly components: Readonly<Record<string, { readonly status: 'UP' | 'DOWN' }>>
}

export interface HealthOptions {
  readonly checks: Readonly<Record<string, HealthCheck>>
  readonly clock: Clock
  readonly deadlineMs?: number
  readonly cachedMs?: number
}

/** Runs the checks side by side, each within the deadline. The result is kept a moment: probes come from many sides. */
export class HealthMonitor {
  readonly #options: Required<HealthOptions>
  #last: { readonly untilMs: number; readonly health: Promise<Health> } | undefined

  constructor(options: HealthOptions) {
    this.#options = { deadlineMs: 2_000, cachedMs: 2_000, ...options }
  }

  current(): Promise<Health> {
    const { clock, cachedMs } = this.#options
    const now = clock.monotonicMs()
    if (this.#last === undefined || this.#last.untilMs <= now) {
      this.#last = { untilMs: now + cachedMs, health: this.#check() }
    }
    return this.#last.health
  }

  async #check(): Promise<Health> {
    const named = Object.entries(this.#options.checks)
    const components = await Promise.all(
      named.map(async ([name, check]) => [name, { status: (await this.#holds(check)) ? 'UP' : 'DOWN' }] as const),
    )
    const isUp = components.every(([, { status }]) => status === 'UP')
    return { status: isUp ? 'UP' : 'DOWN', components: Object.fromEntries(components) }
  }

  async #holds(check: HealthCheck): Promise<boolean> {
    using deadline = this.#options.clock.deadline(this.#options.deadlineMs)
    const { signal } = deadline
    const late = new Promise<false>((resolve) => signal.addEventListener('abort', () => resolve(false)))
    const well = (async () => {
      try {
        await check(signal)
        return true
      } catch {
        // What is wrong is the check's own to log; here it only counts.
        return false
      }
    })()
    return await Promise.race([well, late])
  }
}
