import type { Clock } from '../../../packages/clock/clock.ts'
import { assert } from '../../../packages/faults/fault.ts'
import { LaneMemory, type LaneWatch } from './lane-memory.ts'
import type { Place } from './lane-place.ts'

/** What a message hears when it need not wait any longer: it is its turn, or somebody before it was parked. */
export type Turn = 'run' | 'park'

/**
 * Who is before a message in its lanes, beside those of this copy: nobody, one that is parked, or one that another copy
 * works on.
 */
export type Ahead = 'nobody' | 'parked' | 'others'

/**
 * The messages of this copy, lane by lane in the order of their tickets. A message runs when it is the first in all of
 * its lanes. Nothing here outlives the process: the tickets are in the database.
 */
export class LaneQueue {
  readonly #lanes = new Map<string, Waiting[]>()
  readonly #all = new Map<string, Waiting>()
  readonly #behindOthers = new Set<string>()
  readonly #memory: LaneMemory
  readonly #onBehindOthers: () => void

  /** @param onBehindOthers called when a message waits for another copy: somebody must look when that one is through */
  constructor(clock: Pick<Clock, 'now' | 'monotonicMs'>, onBehindOthers: () => void = () => {}) {
    this.#memory = new LaneMemory(clock)
    this.#onBehindOthers = onBehindOthers
  }

  get size(): number {
    return this.#all.size
  }

  /** Whether a message of this copy has this place. */
  has({ lane, ticket }: Place): boolean {
    return this.#lanes.get(lane)?.some((waiting) => ticketIn(waiting, lane) === ticket) ?? false
  }

  /** To know afterwards whether anybody has worked in these lanes since now. Undefined when one of ours is in them. */
  watch(lanes: readonly string[]): LaneWatch | undefined {
    return lanes.length === 0 || lanes.some((lane) => this.#lanes.has(lane)) ? undefined : this.#memory.watch(lanes)
  }

  /** Those that wait for another copy's work. */
  get behindOthers(): readonly string[] {
    return [...this.#behindOthers]
  }

  enter(transactionId: string, places: readonly Place[], ahead: Ahead): Promise<Turn> {
    assert(!this.#all.has(transactionId), 'a message entered its lanes twice')
    return new Promise((resolve) => {
      const waiting: Waiting = { transactionId, places, resolve, isTold: false, isBehindOthers: ahead === 'others' }
      this.#all.set(transactionId, waiting)
      for (const place of places) this.#insert(waiting, place)
      if (ahead === 'parked') return tell(waiting, 'park')
      if (waiting.isBehindOthers) {
        this.#behindOthers.add(transactionId)
        this.#onBehindOthers()
      }
      this.#runIfFirst(waiting)
    })
  }

  /** No lower ticket of anybody is left in the lanes of the message. */
  othersAreGone(transactionId: string): void {
    const waiting = this.#all.get(transactionId)
    this.#behindOthers.delete(transactionId)
    if (waiting === undefined) return
    waiting.isBehindOthers = false
    this.#runIfFirst(waiting)
  }

  /** The message need not wait for its turn: it can be parked. Nothing happens when its turn has come already. */
  giveUp(transactionId: string): void {
    const waiting = this.#all.get(transactionId)
    this.#behindOthers.delete(transactionId)
    if (waiting !== undefined) tell(waiting, 'park')
  }

  /** Everybody who still waits is parked: this copy stops. */
  giveUpAll(): void {
    for (const transactionId of this.#all.keys()) this.giveUp(transactionId)
  }

  /**
   * The message is through, or parked; then those behind it are parked too. One that `waited` was given its tickets long
   * before: its lanes may begin anew as soon as it is gone.
   */
  leave(transactionId: string, how: 'done' | 'parked', waited = false): void {
    const left = this.#all.get(transactionId)
    if (left === undefined) return
    this.#all.delete(transactionId)
    this.#behindOthers.delete(transactionId)
    for (const place of left.places) {
      const { lane } = place
      if (how === 'done' && !waited) this.#memory.noteThrough(place)
      const rest = (this.#lanes.get(lane) ?? []).filter((waiting) => waiting !== left)
      if (rest.length === 0) this.#lanes.delete(lane)
      else this.#lanes.set(lane, rest)
      if (how === 'parked') for (const waiting of rest) tell(waiting, 'park')
      else if (rest[0] !== undefined) this.#runIfFirst(rest[0])
    }
  }

  #insert(waiting: Waiting, { lane, ticket }: Place): void {
    const row = this.#lanes.get(lane) ?? []
    const before = row.findLastIndex((other) => ticketIn(other, lane) < ticket)
    row.splice(before + 1, 0, waiting)
    this.#lanes.set(lane, row)
  }

  #runIfFirst(waiting: Waiting): void {
    if (waiting.isBehindOthers) return
    if (waiting.places.every(({ lane }) => this.#lanes.get(lane)?.[0] === waiting)) tell(waiting, 'run')
  }
}

interface Waiting {
  readonly transactionId: string
  readonly places: readonly Place[]
  readonly resolve: (turn: Turn) => void
  isTold: boolean
  isBehindOthers: boolean
}

function tell(waiting: Waiting, turn: Turn): void {
  if (waiting.isTold) return
  waiting.isTold = true
  waiting.resolve(turn)
}

const ticketIn = (waiting: Waiting, lane: string): number =>
  waiting.places.find((place) => place.lane === lane)?.ticket ?? 0
