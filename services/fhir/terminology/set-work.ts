import { unprocessable } from '../../../packages/faults/fault.ts'

/** About half a second. The largest code systems that are loaded have some 350,000 codes. */
const codesMax = 1_000_000

/** What asking the terminology once costs beside going through a code. */
const codesAQuestion = 5_000

/**
 * The work that one value set may make. What it is made of comes from outside, also with the question: a filter is a line,
 * and may lead through every code of a system.
 */
export class SetWork {
  #left = codesMax

  /** @param codes so many are gone through. */
  take(codes: number): void {
    this.#left -= codes
    if (this.#left >= 0) return
    throw unprocessable('The value set is made of more parts and filters than are put together here.', {
      code: 'TOO_COSTLY',
    })
  }

  takeQuestion(): void {
    this.take(codesAQuestion)
  }
}
