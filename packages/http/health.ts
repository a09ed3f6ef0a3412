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
  readonly components: Conditions
}

type Conditions = Readonly<Record<string, Condition>>

export interface HealthOptions {
  /** What is needed. */
  readonly checks: Readonly<Record<string, HealthCheck>>
  readonly parts?: Readonly<Record<string, HealthPart>>
  readonly clock: Clock
  readonly deadlineMs?: number
  readonly cachedMs?: number
}

/** A part that is not well makes the service unwell, and not unready: readiness does not even wait for it. */
export class HealthMonitor {
  readonly #needed: Looks
  readonly #own: Looks

  constructor({ checks, parts = {}, ...options }: HealthOptions) {
    this.#needed = new Looks(answering(checks), options)
    this.#own = new Looks(parts, options)
  }

  /** Whether all that is needed answers. */
  async isReady(): Promise<boolean> {
    return areUp(await this.#needed.current())
  }

  async current(): Promise<Health> {
    const [needed, own] = await Promise.all([this.#needed.current(), this.#own.current()])
    const components = { ...needed, ...own }
    return { status: areUp(components) ? 'UP' : 'DOWN', components }
  }
}

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

const areUp = (components: Conditions) => Object.values(components).every(({ status }) => status === 'UP')

/** Looks at all side by side, each within the deadline. The result is kept a moment: probes come from many sides. */
class Looks {
  readonly #parts: Readonly<Record<string, HealthPart>>
  readonly #clock: Clock
  readonly #deadlineMs: number
  readonly #cachedMs: number
  #last: { readonly untilMs: number; readonly conditions: Promise<Conditions> } | undefined

  constructor(parts: Readonly<Record<string, HealthPart>>, options: Omit<HealthOptions, 'checks' | 'parts'>) {
    this.#parts = parts
    this.#clock = options.clock
    this.#deadlineMs = options.deadlineMs ?? 2_000
    this.#cachedMs = options.cachedMs ?? 2_000
  }

  current(): Promise<Conditions> {
    const now = this.#clock.monotonicMs()
    if (this.#last === undefined || this.#last.untilMs <= now) {
      this.#last = { untilMs: now + this.#cachedMs, conditions: this.#look() }
    }
    return this.#last.conditions
  }

  async #look(): Promise<Conditions> {
    const told = Object.entries(this.#parts).map(async ([name, part]) => [name, await this.#conditionOf(part)] as const)
    return Object.fromEntries(await Promise.all(told))
  }

  async #conditionOf(part: HealthPart): Promise<Condition> {
    using deadline = this.#clock.deadline(this.#deadlineMs)
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
