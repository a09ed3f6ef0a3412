import { patternSteps, type Steps } from './pattern-steps.ts'

/**
 * How the work of a matcher that tries one way after the other grows with a text that does not match: 1 with its
 * length, 2 with the square of it, and so on; Infinity is doubled by every few signs more.
 *
 * The work is the number of ways through the pattern (Weber and Seidl, 1991). It grows without end when a sign that can
 * come again can come again in two ways over the same text; and with a power when one sign that can come again is
 * followed by another one, and both can take the same text, so that each place may be where the one hands over.
 */
export function blowUp(pattern: RegExp): number {
  const ways = new Ways(patternSteps(pattern))
  return ways.areDoubled ? Infinity : 1 + ways.handovers
}

class Ways {
  readonly #steps: Steps
  readonly #places: readonly number[]
  /** Where one can get from each sign. */
  readonly #reach: readonly ReadonlySet<number>[]

  constructor(steps: Steps) {
    this.#steps = steps
    this.#places = steps.signs.map((_, place) => place)
    this.#reach = this.#places.map((place) => explore([place], (at) => steps.next[at] ?? []))
  }

  get areDoubled(): boolean {
    return this.#places.some((place) => this.#comesAgain(place) && this.#comesAgainTwice(place))
  }

  /** How many handovers can follow one another and still lead to a failure. */
  get handovers(): number {
    const pairs = this.#places.flatMap((from) =>
      this.#places.filter((to) => this.#handsOver(from, to)).map((to) => ({ from, to })),
    )
    const after = ({ to }: Handover): number => {
      const later = pairs.filter(({ from }) => from === to || this.#leads(to, from)).map((pair) => after(pair))
      const most = Math.max(0, ...later)
      // A pattern that may end here ends here: nothing is tried again.
      return most > 0 ? 1 + most : this.#steps.free.has(to) ? 0 : 1
    }
    return Math.max(0, ...pairs.map((pair) => after(pair)))
  }

  #leads(from: number, to: number): boolean {
    return this.#reach[from]?.has(to) === true
  }

  #comesAgain(place: number): boolean {
    return this.#leads(place, place)
  }

  #isInLoopOf(place: number, other: number): boolean {
    return this.#leads(place, other) && this.#leads(other, place)
  }

  /** Two walkers from the same sign over the same text, who part and meet there again. */
  #comesAgainTwice(home: number): boolean {
    const loop = this.#places.filter((place) => this.#isInLoopOf(home, place))
    const within = (place: number) => (this.#steps.next[place] ?? []).filter((next) => loop.includes(next))
    if (loop.some((place) => new Set(within(place)).size < within(place).length)) return true
    const size = this.#places.length
    const onward = (pair: number) => {
      const [one, other] = [Math.floor(pair / size), pair % size]
      return within(one).flatMap((first) =>
        within(other).flatMap((second) => (this.#share(first, second) ? [first * size + second] : [])),
      )
    }
    const met = home * size + home
    const parted = [...explore([met], onward)].filter((pair) => Math.floor(pair / size) !== pair % size)
    return parted.length > 0 && explore(parted, onward).has(met)
  }

  /** Three walkers over the same text: one stays at the first sign, one stays at the second, one goes over. */
  #handsOver(from: number, to: number): boolean {
    if (!this.#comesAgain(from) || !this.#comesAgain(to)) return false
    if (this.#isInLoopOf(from, to) || !this.#leads(from, to)) return false
    const size = this.#places.length
    const nextOf = (place: number) => this.#steps.next[place] ?? []
    const onward = (triple: number) => {
      const [one, middle, other] = [Math.floor(triple / size / size), Math.floor(triple / size) % size, triple % size]
      const found: number[] = []
      for (const first of nextOf(one).filter((place) => this.#isInLoopOf(from, place))) {
        for (const second of nextOf(middle)) {
          for (const third of nextOf(other).filter((place) => this.#isInLoopOf(to, place))) {
            if (this.#share(first, second, third)) found.push((first * size + second) * size + third)
          }
        }
      }
      return found
    }
    return explore([(from * size + from) * size + to], onward).has((from * size + to) * size + to)
  }

  /** Whether there is a character that all of these signs take. */
  #share(...places: readonly number[]): boolean {
    const { signs } = this.#steps
    return places.reduce((common, place) => common & (signs[place] ?? 0n), -1n) !== 0n
  }
}

interface Handover {
  readonly from: number
  readonly to: number
}

/** Everything that is one step or more away. */
function explore(starts: readonly number[], onward: (at: number) => readonly number[]): Set<number> {
  const found = new Set<number>()
  const waiting = [...starts]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of onward(at)) {
      if (found.has(next)) continue
      found.add(next)
      waiting.push(next)
    }
  }
  return found
}
