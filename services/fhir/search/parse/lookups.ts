import type { SearchLimits } from './parse-context.ts'
import { refuse } from './refuse.ts'

/**
 * How many look-ups a search is made of: every type that a chain may go through counts. It is counted while the query is
 * read, because a chain of four references that name no type leads over tens of thousands of ways. And how many values the
 * database is to compare with: a bare id is one of each of 145 types, and a thousand of them in each of 64 parameters held
 * the process for twenty seconds.
 */
export class Lookups {
  readonly #max: number
  readonly #valuesMax: number
  #count = 0
  #values = 0

  constructor({ lookupsMax, valuesMax }: Pick<SearchLimits, 'lookupsMax' | 'valuesMax'>) {
    this.#max = lookupsMax
    this.#valuesMax = valuesMax
  }

  get areSpent(): boolean {
    return this.#count > this.#max || this.#values > this.#valuesMax
  }

  /** @param parameter the name as the caller wrote it. */
  takeOne(parameter: string): void {
    this.#count++
    if (this.#count <= this.#max) return
    throw refuse(parameter, `makes the search too large: it needs more than ${this.#max} look-ups. Name fewer types.`)
  }

  /** @param advice what to do where it is too many. */
  takeValues(parameter: string, count: number, advice: string): void {
    this.#values += count
    if (this.#values <= this.#valuesMax) return
    throw refuse(
      parameter,
      `makes the search too large: it compares with more than ${this.#valuesMax} values. ${advice}`,
    )
  }
}
