import type { Clock } from '../clock/clock.ts'

/** Throws when what is needed does not answer; what it throws is not shown. It must heed the signal. */
export type HealthCheck = (signal: AbortSignal) => Promise<void>

/** Tells how a part of the service itself is; one that throws is not well. It must heed the signal. */
export type HealthPart = (signal: AbortSignal) => Promise<Condition>

export interface Condition {
  readonly status: 'UP' | 'DOWN'
  /** For administrators. */
  readonly details?: Readonly<Record<string, string | number | boolean>>
}

export interface Health {
  readonly status: 'UP' | 'DOWN'
  /** All that is needed answers. A part that is not well makes the service unwell, and not unready. */
  readonly isReady: boolean
  readonly components: Readonly<Record<string, Condition>>
}

export interface HealthOptions {
  readonly checks: Readonly<Record<string, HealthCheck>>
  readonly parts?: Readonly<Record<string, HealthPart>>
  readonly clock: Clock
  readonly deadlineMs?: number
  readonly cachedMs?: number
}

/** Runs the checks side by side, each within the deadline. The result is kept a moment: probes come from many sides. */
export class HealthMonitor {
  readonly #options: Required<HealthOptions>
  #last: { readonly untilMs: number; readonly health: Promise<Health> } | undefined

  constructor(options: HealthOptions) {
    this.#options = { parts: {}, deadlineMs: 2_000, cachedMs: 2_000, ...options }
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
    const { checks, parts } = this.#options
    const [needed, own] = await Promise.all([this.#all(answering(checks)), this.#all(parts)])
    const isReady = areUp(needed)
    return { status: isReady && areUp(own) ? 'UP' : 'DOWN', isReady, components: { ...needed, ...own } }
  }

  async #all(parts: Readonly<Record<string, HealthPart>>): Promise<Record<string, Condition>> {
    const told = Object.entries(parts).map(async ([name, part]) => [name, await this.#conditionOf(part)] as const)
    return Object.fromEntries(await Promise.all(told))
  }

  async #conditionOf(part: HealthPart): Promise<Condition> {
    using deadline = this.#options.clock.deadline(this.#options.deadlineMs)
    const { signal } = deadline
    const late = new Promise<Condition>((resolve) => signal.addEventListener('abort', () => resolve(down)))
    const told = (async () => {
      try {
        return await part(signal)
      } catch {
        // What is wrong is the part's own to log; here it only counts.
        return down
      }
    })()
    return await Promise.race([told, late])
  }
}

const down: Condition = { status: 'DOWN' }

const answering = (checks: Readonly<Record<string, HealthCheck>>): Record<string, HealthPart> =>
  Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [
      name,
      async (signal) => {
        await check(signal)
        return { status: 'UP' }
      },
    ]),
  )

const areUp = (components: Readonly<Record<string, Condition>>) =>
  Object.values(components).every(({ status }) => status === 'UP')
