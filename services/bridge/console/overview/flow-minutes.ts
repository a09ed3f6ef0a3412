import type { Queryable } from '../../../../packages/sql/database.ts'
import { minuteOf } from '../../store/transaction-id.ts'
import { countsByMinute, mediansByMinute, type MinuteCount } from '../../store/flow-figures.ts'

const minuteMs = 60_000

interface MinuteFigures {
  readonly counts: readonly MinuteCount[]
  readonly medians: readonly { readonly minute: string; readonly ms: number }[]
}

/**
 * The figures of the last minutes. What came in more than a minute ago has ended, as a rule, so it is read once: with
 * eighty messages a second the whole half hour took 0.8 s on a busy machine, and its last two minutes are a fifteenth.
 */
export class FlowMinutes {
  readonly #minutes: number
  #known: MinuteFigures = { counts: [], medians: [] }
  #readFromMs = 0

  constructor(minutes: number) {
    this.#minutes = minutes
  }

  /** From the beginning of the first minute to the end of the one that is not over yet. */
  async read(at: Date, on: Queryable): Promise<MinuteFigures & { readonly from: Date }> {
    const thisMinuteMs = Math.floor(at.getTime() / minuteMs) * minuteMs
    const from = new Date(thisMinuteMs - this.#minutes * minuteMs)
    const readFrom = new Date(Math.max(from.getTime(), this.#readFromMs))
    const to = new Date(thisMinuteMs + minuteMs)
    const [counts, medians] = await Promise.all([countsByMinute(readFrom, to, on), mediansByMinute(readFrom, to, on)])
    const isKept = ({ minute }: { readonly minute: string }) => minute >= minuteOf(from) && minute < minuteOf(readFrom)
    this.#known = {
      counts: [...this.#known.counts.filter(isKept), ...counts],
      medians: [...this.#known.medians.filter(isKept), ...medians],
    }
    this.#readFromMs = thisMinuteMs - minuteMs
    return { ...this.#known, from }
  }
}
