import { refuse } from './refuse.ts'

/**
 * How many look-ups a search is made of: every type that a chain may go through counts. It is counted while the query is
 * read, because a chain of four references that name no type leads over tens of thousands of ways.
 */
export class Lookups {
  readonly #max: number
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  get areSpent(): boolean {
    return this.#count > this.#max
  }

  /** @param parameter the name as the caller wrote it. */
  takeOne(parameter: string): void {
    this.#count++
    if (!this.areSpent) return
    throw refuse(parameter, `makes the search too large: it needs more than ${this.#max} look-ups. Name fewer types.`)
  }
}
