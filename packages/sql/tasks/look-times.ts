import type { Clock } from '../../clock/clock.ts'
import type { Random } from '../../clock/ids.ts'
import type { TaskEnd } from './task-end.ts'

const pollMsDefault = 1_000
const idlePollMs = 5_000
/** Tasks are stranded so rarely, and looking for them costs so much more than a claim, that it is done now and then. */
const sweepMs = 10_000

interface LookTimesDeps {
  readonly clock: Clock
  readonly random: Pick<Random, 'fraction'>
}

/**
 * When a worker looks without being woken: for tasks of other copies, and for those whose wait has passed. Ever more
 * seldom while it finds nothing, because the looks of all workers are most of what an idle Corridor does.
 */
export class LookTimes {
  readonly #deps: LookTimesDeps
  readonly #firstMs: number
  #pollMs: number
  #dueMs = Number.POSITIVE_INFINITY
  #sweptMs: number

  constructor(deps: LookTimesDeps, pollMs = pollMsDefault) {
    this.#deps = deps
    this.#firstMs = pollMs
    this.#pollMs = pollMs
    this.#sweptMs = deps.clock.monotonicMs()
  }

  /** Something was found, or could not be looked for: the next look is worth more than one of an idle worker. */
  somethingHappened(): void {
    this.#pollMs = this.#firstMs
  }

  /** One that is tried again is looked for when its wait has passed, not at the next poll. */
  ended(end: TaskEnd): void {
    if ('nextAt' in end && end.nextAt !== undefined) this.#dueMs = Math.min(this.#dueMs, end.nextAt.getTime())
  }

  /** A look begins, and finds what was expected until now. */
  look(): void {
    if (this.#dueMs <= this.#deps.clock.now().getTime()) this.#dueMs = Number.POSITIVE_INFINITY
  }

  /** How long to rest now. Chance keeps the copies from polling in step. */
  restMs(): number {
    const { clock, random } = this.#deps
    const pollMs = Math.round(this.#pollMs * (0.8 + 0.4 * random.fraction()))
    this.#pollMs = Math.min(2 * this.#pollMs, Math.max(idlePollMs, this.#firstMs))
    return Math.min(pollMs, Math.max(1, this.#dueMs - clock.now().getTime()))
  }

  /** Whether it is time to look for stranded tasks; whoever asks does so. */
  isSweepDue(): boolean {
    // Not by the time of day: a clock that is set back would end them for as long.
    const nowMs = this.#deps.clock.monotonicMs()
    if (nowMs - this.#sweptMs < sweepMs) return false
    this.#sweptMs = nowMs
    return true
  }
}
