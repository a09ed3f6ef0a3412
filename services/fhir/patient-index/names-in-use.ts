import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { nameFrequency, uncountable, type NameFrequency } from './name-frequency.ts'
import { countNames } from './store/name-counts.ts'

interface NamesInUseDeps {
  readonly database: Queryable
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

/**
 * The frequency of names in the index, counted now and then: it changes slowly, and only common names are kept (a few
 * thousand, however large the index). While it is counted anew, the old figures serve. Before there are any, whoever asks
 * waits for the count, and goes on without it where it fails.
 */
export class NamesInUse {
  readonly #deps: NamesInUseDeps
  #counted = { frequency: uncountable, untilMs: Number.NEGATIVE_INFINITY }
  #counting: Promise<NameFrequency> | undefined

  constructor(deps: NamesInUseDeps) {
    this.#deps = deps
  }

  async frequency(): Promise<NameFrequency> {
    const { frequency, untilMs } = this.#counted
    if (this.#deps.clock.monotonicMs() < untilMs) return frequency
    const counting = this.#count()
    return frequency === uncountable ? counting : frequency
  }

  #count(): Promise<NameFrequency> {
    this.#counting ??= this.#countNow().finally(() => {
      this.#counting = undefined
    })
    return this.#counting
  }

  async #countNow(): Promise<NameFrequency> {
    const { clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const frequency = (await this.#countOnce()) ?? this.#counted.frequency
    // At most a two-hundredth of the time is spent on counting, whatever the size of the index; in vain, too.
    const restMs = 200 * (clock.monotonicMs() - startedMs)
    const leastMs = frequency === uncountable ? 0 : keptMs
    this.#counted = { frequency, untilMs: clock.monotonicMs() + Math.max(leastMs, restMs) }
    return frequency
  }

  /** Undefined, and told to the log, where it fails. */
  async #countOnce(): Promise<NameFrequency | undefined> {
    const { database, log } = this.#deps
    try {
      const { counts, people } = await countNames(database)
      return nameFrequency(counts, people)
    } catch (thrown) {
      const { kind, logged, message } = faultOf(thrown)
      log.warn('names could not be counted', { faultKind: kind, error: logged ?? message })
      return undefined
    }
  }
}

const keptMs = 5 * 60_000
