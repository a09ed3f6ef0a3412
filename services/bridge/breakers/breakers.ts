import type { Clock } from '../../../packages/clock/clock.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import { CircuitBreaker, type BreakerEntry, type BreakerRule, type BreakerState } from './circuit-breaker.ts'

export const dependencies = [
  'fhir-server',
  'consent-service',
  'patient-index',
  'facility-registry',
  'terminology',
] as const

export type Dependency = (typeof dependencies)[number]

/** One circuit breaker for each dependency of the pipeline. */
export class Breakers {
  readonly #breakers: ReadonlyMap<Dependency, CircuitBreaker>
  readonly #listeners = new Set<(dependency: Dependency, state: BreakerState) => void>()
  #resetMs: number | undefined

  constructor({ rule, clock, metrics }: { rule?: BreakerRule; clock: Clock; metrics: Metrics }) {
    const states = metrics.gauge('corridor_bridge_breaker_state', 'Circuit breakers: 0 closed, 1 half-open, 2 open.', [
      'dependency',
    ])
    const made = dependencies.map((dependency) => {
      states.set({ dependency }, 0)
      const onChange = (state: BreakerState) => {
        states.set({ dependency }, level[state])
        for (const listener of this.#listeners) listener(dependency, state)
      }
      const options = { clock, onChange, ...(rule === undefined ? {} : { rule }) }
      return [dependency, new CircuitBreaker(dependency, options)] as const
    })
    this.#breakers = new Map(made)
  }

  call<T>(dependency: Dependency, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#of(dependency).call(work, signal)
  }

  entryOf(dependency: Dependency): BreakerEntry {
    return this.#of(dependency).entry
  }

  reset(at: Date): void {
    this.#resetMs = at.getTime()
    for (const breaker of this.#breakers.values()) breaker.reset()
  }

  /** Of a reset that some copy was told: where it was this one, it has acted already, and what failed since counts. */
  hearOfReset(at: Date): void {
    if (at.getTime() !== this.#resetMs) this.reset(at)
  }

  /** Gives the function that ends the listening. */
  onChange(listener: (dependency: Dependency, state: BreakerState) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #of(dependency: Dependency): CircuitBreaker {
    // Sound: one was made for every dependency.
    return this.#breakers.get(dependency) as CircuitBreaker
  }
}

const level: Readonly<Record<BreakerState, number>> = { CLOSED: 0, 'HALF-OPEN': 1, OPEN: 2 }
