import type { Clock } from '../../../packages/clock/clock.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { nameFrequency, type NameFrequency } from './name-frequency.ts'
import { countNames } from './store/name-counts.ts'

export interface NamesInUseDeps {
  readonly database: Queryable
  readonly clock: Clock
}

/**
 * The frequency of names in the index, counted now and then: it changes slowly, and only common names are kept (a few
 * thousand, however large the index). While it is counted anew, the old figures serve.
 */
export class NamesInUse {
  readonly #deps: NamesInUseDeps
  #counted: { readonly frequency: NameFrequency; readonly untilMs: number } | undefined
  #counting: Promise<NameFrequency> | undefined

  constructor(deps: NamesInUseDeps) {
    this.#deps = deps
  }

  async frequency(): Promise<NameFrequency> {
    const counted = this.#counted
    if (counted === undefined) return this.#count()
    // A count that fails is begun again by the next who asks; until one succeeds the old figures serve.
    if (this.#deps.clock.monotonicMs() >= counted.untilMs) this.#count().catch(() => undefined)
    return counted.frequency
  }

  #count(): Promise<NameFrequency> {
    this.#counting ??= this.#countNow().finally(() => {
      this.#counting = undefined
    })
    return this.#counting
  }

  async #countNow(): Promise<NameFrequency> {
    const { database, clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const { counts, people } = await countNames(database)
    const doneMs = clock.monotonicMs()
    const frequency = nameFrequency(counts, people)
    // At most a two-hundredth of the time is spent on counting, whatever the size of the index.
    this.#counted = { frequency, untilMs: doneMs + Math.max(keptMs, 200 * (doneMs - startedMs)) }
    return frequency
  }
}

const keptMs = 5 * 60_000
