import { tooMuch } from '../../../packages/faults/fault.ts'

/** How many wait for a turn under one key. What comes on top is told to come again. */
const waitingMax = 1_000

/** Those of one key. Only the first of who waits asks whether there is room, so nobody decides on what another changes. */
interface Line {
  underWay: number
  /** Goes up whenever an answer about room that is being worked out may be out of date. */
  changes: number
  isAsking: boolean
  readonly waiting: (() => void)[]
  /** Tells the first in the line that somebody is done. */
  ended: () => void
}

/** Lets as many do something at once under one key as there is room for, in the order in which they came. */
export class Turns {
  readonly #lines = new Map<string, Line>()

  /** Waits until fewer are under way than there is room for; whatever `room` throws is thrown to who asks. */
  async take(key: string, room: () => number | Promise<number>): Promise<Disposable> {
    const line = this.#lines.get(key) ?? { underWay: 0, changes: 0, isAsking: false, waiting: [], ended: () => {} }
    this.#lines.set(key, line)
    if (line.isAsking) await toTheEndOf(line)
    line.isAsking = true
    try {
      for (;;) {
        const before = line.changes
        const places = await room()
        if (line.changes !== before) continue
        if (line.underWay < places) break
        await new Promise<void>((resolve) => (line.ended = resolve))
      }
      line.underWay++
    } finally {
      // The place is handed on, never given up and fought for.
      const next = line.waiting.shift()
      if (next === undefined) line.isAsking = false
      else next()
      this.#tidy(key, line)
    }
    return {
      [Symbol.dispose]: () => {
        line.underWay--
        line.ended()
        this.#tidy(key, line)
      },
    }
  }

  /** What `room` says of the key is another from now on. */
  changed(key: string): void {
    const line = this.#lines.get(key)
    if (line !== undefined) line.changes++
  }

  #tidy(key: string, line: Line): void {
    if (line.underWay === 0 && !line.isAsking) this.#lines.delete(key)
  }
}

function toTheEndOf({ waiting }: Line): Promise<void> {
  if (waiting.length < waitingMax) return new Promise((resolve) => waiting.push(resolve))
  throw tooMuch('Too many attempts at this moment. Try again in a moment.', { retryAfterSeconds: 1 })
}
