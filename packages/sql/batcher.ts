import { bug, faultOf, tooMuch, unavailable, type Fault } from '../faults/fault.ts'
import { isTooSlow } from './database-fault.ts'
import { isOutside } from './tasks/outside.ts'

interface BatcherOptions<Item, Result> {
  /** Writes all items in one transaction and resolves after its COMMIT, with one result an item, in their order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly batchMax?: number
  /** Batches under way at once. */
  readonly writers?: number
  /** Items that may wait; the next one is refused. */
  readonly queueMax?: number
  /**
   * Waited for before a batch that follows one of several: under load batches then grow, which costs each item a little
   * time and the machine much less work. It begins with the first item of the batch, so that those who were answered
   * together and come again together are not torn apart. Items that come one by one never wait.
   */
  readonly gather?: () => Promise<void>
  /** Items of one key keep their order and are never in two batches at once. */
  readonly keyOf?: (item: Item) => string
  /** The same for items of several keys; two that share one are not in one batch either. */
  readonly keysOf?: (item: Item) => readonly string[]
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly keys: readonly string[]
  readonly resolve: (result: Result) => void
  readonly reject: (fault: Fault) => void
}

/**
 * Adaptive group commit: a writer that becomes free takes what is waiting. An item alone is written at once, and batches
 * grow only under load.
 */
export class Batcher<Item, Result> {
  readonly #write: BatcherOptions<Item, Result>['write']
  readonly #keysOf: (item: Item) => readonly string[]
  readonly #mayShare: boolean
  readonly #batchMax: number
  readonly #writers: number
  readonly #queueMax: number
  readonly #gather: (() => Promise<void>) | undefined
  readonly #keysUnderWay = new Set<string>()
  #queue: Waiting<Item, Result>[] = []
  #underWay = 0
  #lastWasSeveral = false
  #gathering = false
  #pumpPlanned = false
  #closed = false
  #onIdle: (() => void)[] = []

  constructor(options: BatcherOptions<Item, Result>) {
    this.#write = options.write
    const { keyOf, keysOf = (item: Item) => (keyOf === undefined ? [] : [keyOf(item)]) } = options
    this.#keysOf = keysOf
    this.#mayShare = options.keysOf === undefined
    this.#batchMax = options.batchMax ?? 100
    this.#writers = options.writers ?? 2
    this.#queueMax = options.queueMax ?? 10_000
    this.#gather = options.gather
  }

  /** Resolves once the item is durable. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(unavailable('This service is stopping. Try again in a moment.'))
      if (this.#queue.length >= this.#queueMax) return reject(queueFull())
      this.#queue.push({ item, keys: this.#keysOf(item), resolve, reject })
      this.#planPump()
    })
  }

  /** Resolves when nothing waits and nothing is under way. */
  drain(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.#onIdle.push(resolve))
  }

  /** Takes nothing more and finishes what it has. */
  close(): Promise<void> {
    this.#closed = true
    this.#pump()
    return this.drain()
  }

  /** At the end of this turn of the event loop, so that what came in with it, on whichever socket, is written together. */
  #planPump(): void {
    if (this.#pumpPlanned) return
    this.#pumpPlanned = true
    setImmediate(() => {
      this.#pumpPlanned = false
      this.#gatherThenPump()
    })
  }

  #gatherThenPump(): void {
    if (!this.#isWorthGathering()) return this.#pump()
    if (this.#gathering) return
    this.#gathering = true
    void this.#gather?.().finally(() => {
      this.#gathering = false
      this.#pump()
    })
  }

  #isWorthGathering(): boolean {
    const { length } = this.#queue
    const mayTake = this.#underWay < this.#writers && !this.#closed
    return this.#gather !== undefined && this.#lastWasSeveral && mayTake && length > 0 && length < this.#batchMax
  }

  #pump(): void {
    while (this.#underWay < this.#writers) {
      const batch = this.#take()
      if (batch.length === 0) return
      this.#underWay++
      void this.#carryOut(batch)
    }
  }

  /** The longest-waiting items whose keys are free. One that is held holds back all behind it that share a key. */
  #take(): Waiting<Item, Result>[] {
    const taken: Waiting<Item, Result>[] = []
    const held: Waiting<Item, Result>[] = []
    const closed = new Set<string>()
    let looked = 0
    for (; looked < this.#queue.length && taken.length < this.#batchMax; looked++) {
      const waiting = this.#queue[looked]
      if (waiting === undefined) break
      const { keys } = waiting
      const isHeld = keys.some((key) => this.#keysUnderWay.has(key) || closed.has(key))
      ;(isHeld ? held : taken).push(waiting)
      if (isHeld || !this.#mayShare) for (const key of keys) closed.add(key)
    }
    this.#queue = [...held, ...this.#queue.slice(looked)]
    for (const { keys } of taken) for (const key of keys) this.#keysUnderWay.add(key)
    return taken
  }

  async #carryOut(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      await this.#settle(batch)
    } finally {
      this.#lastWasSeveral = batch.length > 1
      for (const { keys } of batch) for (const key of keys) this.#keysUnderWay.delete(key)
      this.#underWay--
      this.#gatherThenPump()
      if (this.#isIdle()) for (const resolve of this.#onIdle.splice(0)) resolve()
    }
  }

  async #settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const fault = await this.#attempt(batch)
    if (fault === undefined) return
    // While the database is down or full, trying each item alone would only take longer to say so.
    if (batch.length === 1 || concernsAll(fault)) return rejectAll(batch, fault)
    // One item that cannot be written, or takes too long, must fail alone.
    let slow = 0
    let slowInRow = 0
    for (const [index, waiting] of batch.entries()) {
      const own = await this.#attempt([waiting])
      const isSlow = own !== undefined && isTooSlow(own)
      if (isSlow) slow++
      slowInRow = isSlow ? slowInRow + 1 : 0
      const isEnough = slowInRow === slowInRowMax || slow === slowMax
      if (own !== undefined && (concernsAll(own) || isEnough)) return rejectAll(batch.slice(index), own)
      if (own !== undefined) waiting.reject(own)
    }
  }

  /** The fault if nothing was written. */
  async #attempt(batch: readonly Waiting<Item, Result>[]): Promise<Fault | undefined> {
    let results: readonly Result[]
    try {
      results = await this.#write(batch.map(({ item }) => item))
    } catch (thrown) {
      return faultOf(thrown)
    }
    // It is written by now, so a wrong count is told to all and never tried again.
    if (results.length !== batch.length) rejectAll(batch, bug(`${results.length} results for ${batch.length} items`))
    // Sound: the lengths are equal, so there is a result at every index.
    else for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    return undefined
  }

  #isIdle(): boolean {
    return this.#queue.length === 0 && this.#underWay === 0
  }
}

/** So many of one batch that take too long are the database's trouble, not theirs, and each of them takes half a minute. */
const slowInRowMax = 2
const slowMax = 3

/** One that takes too long says nothing of the others. */
const concernsAll = (fault: Fault): boolean => isOutside(fault) && !isTooSlow(fault)

function rejectAll(batch: readonly { reject: (fault: Fault) => void }[], fault: Fault): void {
  for (const { reject } of batch) reject(fault)
}

const queueFull = () =>
  tooMuch('Too many changes are waiting to be written. Try again in a moment.', {
    code: 'QUEUE_FULL',
    retryAfterSeconds: 1,
  })
