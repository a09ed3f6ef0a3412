import type { Clock } from '../../../packages/clock/clock.ts'
import type { Place } from './lane-place.ts'

/** Lanes that are looked at while a message is being journaled. */
export interface LaneWatch {
  /** Of late they were mostly quiet: what is looked up now will hardly be looked up in vain. */
  readonly isLikelyQuiet: boolean
  /** Whether nobody has worked in them since, by the places that the message was given. */
  wasQuiet(places: readonly Place[]): boolean
}

/**
 * Who was the last to be through in each lane, as far as this copy knows. Whoever works in a lane has taken a ticket, in
 * whichever copy: between that one and the one with the next ticket there was nobody. The first ticket has nobody before
 * it.
 */
export class LaneMemory {
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>
  readonly #lastThrough = new Map<string, Through>()
  #trust = trustMax

  constructor(clock: Pick<Clock, 'now' | 'monotonicMs'>) {
    this.#clock = clock
  }

  noteThrough({ lane, ticket }: Place): void {
    // A map is in the order of its additions: the first is the one that was through longest ago.
    this.#lastThrough.delete(lane)
    this.#lastThrough.set(lane, { ticket, atMs: this.#clock.monotonicMs(), at: this.#clock.now() })
    if (this.#lastThrough.size > lanesMax) this.#forgetOldest()
  }

  watch(lanes: readonly string[]): LaneWatch {
    const next = new Map(lanes.map((lane) => [lane, this.#lastIn(lane) + 1]))
    return {
      isLikelyQuiet: this.#trust > 0,
      wasQuiet: (places) => {
        const isQuiet = places.every(({ lane, ticket }) => ticket === next.get(lane))
        this.#trust = isQuiet ? Math.min(trustMax, this.#trust + 1) : Math.max(0, this.#trust - vainCost)
        return isQuiet
      },
    }
  }

  #lastIn(lane: string): number {
    const through = this.#lastThrough.get(lane)
    return through !== undefined && this.#isOfToday(through) ? through.ticket : 0
  }

  /** By both clocks: one stands still while the machine sleeps, the other may be set back. */
  #isOfToday({ atMs, at }: Through): boolean {
    const ages = [this.#clock.monotonicMs() - atMs, this.#clock.now().getTime() - at.getTime()]
    return Math.max(...ages) < rememberedMs
  }

  #forgetOldest(): void {
    const [oldest] = this.#lastThrough.keys()
    if (oldest !== undefined) this.#lastThrough.delete(oldest)
  }
}

interface Through {
  readonly ticket: number
  readonly atMs: number
  readonly at: Date
}

/** Less than the two days after which an idle lane is forgotten (`retention.ts`), and its tickets begin anew. */
const rememberedMs = 86_400_000
const lanesMax = 10_000

/** What is looked up in vain costs more than what comes early gains: four of five should be of use. */
const vainCost = 4
const trustMax = 16
