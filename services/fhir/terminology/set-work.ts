import { setImmediate } from 'node:timers/promises'
import { unprocessable } from '../../../packages/faults/fault.ts'

/** About half a second. The largest code systems that are loaded have some 350,000 codes. */
const codesMax = 1_000_000

/** What asking the terminology once costs beside going through a code. */
const codesAQuestion = 5_000

/** So many are gone through until others get their turn. */
const codesATurn = 10_000

/**
 * The work that one value set may make. What it is made of comes from outside, also with the question: a filter is a line,
 * and may lead through every code of a system.
 */
export class SetWork {
  readonly #batch: BatchWork
  #left = codesMax
  #sinceTurn = 0

  constructor(batch: BatchWork = new BatchWork()) {
    this.#batch = batch
  }

  /** @param codes so many are gone through. */
  take(codes: number): void {
    this.#left -= codes
    this.#sinceTurn += codes
    if (this.#left < 0) throw tooCostly('The value set is made of more parts and filters than are put together here.')
    this.#batch.take(codes)
  }

  takeQuestion(): void {
    this.#left -= codesAQuestion
    this.take(0)
  }

  /** A code system was read for it, however little of it is used. */
  takeSystem(codes: number): void {
    this.#sinceTurn += codes
    this.#batch.take(codes)
  }

  /** Waits where others have waited long enough. */
  async turn(): Promise<void> {
    if (this.#sinceTurn < codesATurn) return
    this.#sinceTurn = 0
    await this.#batch.turn()
  }
}

/**
 * The work that the value sets and code systems of one batch may make together: thousands of entries fit into one, and each may ask for the
 * costliest there is. They take turns with each other, too, so that everybody else waits for one of them at a time.
 */
export class BatchWork {
  #left: number
  #last: Promise<void> = Promise.resolve()

  constructor(codesLeft = batchCodesMax) {
    this.#left = codesLeft
  }

  take(codes: number): void {
    this.#left -= codes
    if (this.#left < 0)
      throw tooCostly('More of the terminology is asked for than is gone through for one request. Send it in parts.')
  }

  /** A resource of the record that is read for one entry: all of it, for one of its codes. */
  takeText(text: string): Promise<void> {
    this.take(Math.ceil(text.length / charactersACode))
    return this.turn()
  }

  turn(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate())
    return this.#last
  }
}

const batchCodesMax = 10_000_000

/** Of a CodeSystem as it is stored, in the time in which a code is gone through. */
const charactersACode = 50

const tooCostly = (message: string) => unprocessable(message, { code: 'TOO_COSTLY' })
