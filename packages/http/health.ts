import type { Clock } from '../clock/clock.ts'
import { faultOf } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'

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

interface HealthOptions {
  /** What is needed. */
  readonly checks: Readonly<Record<string, HealthCheck>>
  readonly parts?: Readonly<Record<string, HealthPart>>
  readonly clock: Clock
  /** Told when something that is needed stops answering, with the reason, and when it answers again. */
  readonly log?: Log
}

/** How each part is when somebody asks for metrics: whoever is paged hears of it without asking every service. */
export function measureHealth(service: string, monitor: Pick<HealthMonitor, 'current'>, metrics: Metrics): void {
  const help = 'Whether what a service needs answers, and whether its own parts are well (1), or not (0).'
  const gauge = metrics.gauge('corridor_health_up', help, ['service', 'part'])
  metrics.whenAsked(async () => {
    const { components } = await monitor.current()
    for (const [part, { status }] of Object.entries(components)) gauge.set({ service, part }, status === 'UP' ? 1 : 0)
  })
}

/** A part that is not well makes the service unwell, and not unready: readiness does not even wait for it. */
export class HealthMonitor {
  readonly #needed: Looks
  readonly #own: Looks

  constructor({ checks, parts = {}, log, ...options }: HealthOptions) {
    this.#needed = new Looks(answering(checks), { ...options, told: tellTurns(log) })
    this.#own = new Looks(parts, { ...options, told: () => {} })
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

/** Of each check only what is new: probes come every few seconds. */
function tellTurns(log: Log | undefined): Told {
  const away = new Set<string>()
  return (name, wrong) => {
    if (wrong === undefined) {
      if (away.delete(name)) log?.info('ready again', { dependency: name })
    } else if (!away.has(name)) {
      away.add(name)
      log?.error('not ready', { dependency: name, error: wrong })
    }
  }
}

/** What a look at a part found: what is wrong with it, or nothing. */
type Told = (name: string, wrong: string | undefined) => void

const areUp = (components: Conditions) => Object.values(components).every(({ status }) => status === 'UP')

type LooksOptions = Omit<HealthOptions, 'checks' | 'parts' | 'log'> & { readonly told: Told }

const deadlineMs = 2_000
const cachedMs = 2_000

/** Looks at all side by side, each within the deadline. The result is kept a moment: probes come from many sides. */
class Looks {
  readonly #parts: Readonly<Record<string, HealthPart>>
  readonly #clock: Clock
  readonly #told: Told
  #last: { readonly untilMs: number; readonly conditions: Promise<Conditions> } | undefined

  constructor(parts: Readonly<Record<string, HealthPart>>, options: LooksOptions) {
    this.#parts = parts
    this.#clock = options.clock
    this.#told = options.told
  }

  current(): Promise<Conditions> {
    const now = this.#clock.monotonicMs()
    if (this.#last === undefined || this.#last.untilMs <= now) {
      this.#last = { untilMs: now + cachedMs, conditions: this.#look() }
    }
    return this.#last.conditions
  }

  async #look(): Promise<Conditions> {
    const looks = Object.entries(this.#parts).map(async ([name, part]) => {
      const { condition, wrong } = await this.#lookAt(part)
      this.#told(name, wrong)
      return [name, condition] as const
    })
    return Object.fromEntries(await Promise.all(looks))
  }

  async #lookAt(part: HealthPart): Promise<Look> {
    using deadline = this.#clock.deadline(deadlineMs)
    const { signal } = deadline
    const late = new Promise<Look>((resolve) =>
      signal.addEventListener('abort', () => resolve({ condition: down, wrong: `no answer in ${deadlineMs} ms` })),
    )
    const told = (async (): Promise<Look> => {
      try {
        return { condition: await part(signal) }
      } catch (thrown) {
        const { logged, message } = faultOf(thrown)
        return { condition: down, wrong: logged ?? message }
      }
    })()
    return await Promise.race([told, late])
  }
}

interface Look {
  readonly condition: Condition
  readonly wrong?: string
}

const down: Condition = { status: 'DOWN' }
