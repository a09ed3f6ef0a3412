import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { nameFrequency, type NameFrequency } from './name-frequency.ts'
import { countNames } from './store/name-counts.ts'

interface NamesInUseDeps {
  readonly database: Queryable
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
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
    // A count that fails is told to the log; the old figures serve until the next.
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
    const { database, clock, log } = this.#deps
    const startedMs = clock.monotonicMs()
    // At most a two-hundredth of the time is spent on counting, whatever the size of the index; in vain, too.
    const nextMs = () => clock.monotonicMs() + Math.max(keptMs, 200 * (clock.monotonicMs() - startedMs))
    try {
      const { counts, people } = await countNames(database)
      const frequency = nameFrequency(counts, people)
      this.#counted = { frequency, untilMs: nextMs() }
      return frequency
    } catch (thrown) {
      const { kind, logged, message } = faultOf(thrown)
      log.warn('names could not be counted', { faultKind: kind, error: logged ?? message })
      if (this.#counted !== undefined) this.#counted = { ...this.#counted, untilMs: nextMs() }
      throw thrown
    }
  }
}

const keptMs = 5 * 60_000
