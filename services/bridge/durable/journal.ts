import type { Clock } from '../../../packages/clock/clock.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { DurableStore } from './durable-store.ts'
import type { Entry, PlaceRow } from './journal-statements.ts'
import type { Ahead, LaneQueue, Turn } from './lane-queue.ts'
import type { Place } from './lane-place.ts'

export type { Entry } from './journal-statements.ts'

export type Journaled = Fresh | AlreadySeen

/** The message is durable and stands in its lanes. */
export interface Fresh {
  readonly duplicateOf?: never
  readonly places: readonly Place[]
  /** Whose name stands on the work; only that one can finish it. */
  readonly copy: string
  /** The refused transaction that this one repeats. */
  readonly parent: string | undefined
  readonly turn: Promise<Turn>
}

/** Nothing was written: the message was there before. */
export interface AlreadySeen {
  readonly duplicateOf: string
  /** Tells whether the first one says the same. */
  readonly firstContent: Buffer
}

export interface JournalDeps {
  readonly durable: DurableStore
  readonly clock: Clock
  readonly lanes: LaneQueue
  readonly copy: () => string
  readonly windowMs: number
  readonly queueMax: number
  readonly gather: (() => Promise<void>) | undefined
}

/** The first durable point. What waits on all connections is one transaction, and one transaction runs at a time. */
export class Journal {
  readonly #deps: JournalDeps
  // One writer: messages enter the lanes in the order of their tickets without asking who answered first.
  readonly #batcher: Batcher<Entry, Journaled>

  constructor(deps: JournalDeps) {
    this.#deps = deps
    const write = (entries: readonly Entry[]) => this.#write(entries)
    const { queueMax, gather } = deps
    this.#batcher = new Batcher({ write, writers: 1, batchMax: 500, queueMax, ...(gather && { gather }) })
  }

  /** Resolves once the message is durable, or known to have been before. */
  add(entry: Entry): Promise<Journaled> {
    return this.#batcher.submit(entry)
  }

  close(): Promise<void> {
    return this.#batcher.close()
  }

  async #write(entries: readonly Entry[]): Promise<Journaled[]> {
    const { durable, clock, windowMs } = this.#deps
    const copy = this.#deps.copy()
    const { seen, places } = await durable.journal(entries, { copy, now: clock.now(), windowMs })
    const seenByKey = new Map(seen.map((row) => [row.key.toString('hex'), row]))
    const placesById = Map.groupBy(places, ({ transactionId }) => transactionId)
    return entries.map((entry) => {
      const first = seenByKey.get(entry.key.toString('hex'))
      if (first !== undefined && first.transactionId !== entry.transactionId) {
        return { duplicateOf: first.transactionId, firstContent: first.content }
      }
      return this.#enter(
        entry.transactionId,
        placesById.get(entry.transactionId) ?? [],
        copy,
        first?.parent ?? undefined,
      )
    })
  }

  #enter(transactionId: string, rows: readonly PlaceRow[], copy: string, parent: string | undefined): Fresh {
    const { lanes } = this.#deps
    const places = rows.map(({ lane, ticket }) => ({ lane, ticket: Number(ticket) }))
    const turn = lanes.enter(transactionId, places, aheadOf(rows, lanes))
    return { places, copy, parent, turn }
  }
}

function aheadOf(rows: readonly PlaceRow[], lanes: LaneQueue): Ahead {
  if (rows.some(({ ahead }) => ahead === 'parked')) return 'parked'
  // Of ours in the table and not in memory: its COMMIT was never answered, or it is being claimed right now. Told by their
  // tickets: another may be gone from the table, and its COMMIT not answered either.
  const hasUnknown = rows.some(({ lane, own }) => own.some((ticket) => !lanes.has({ lane, ticket: Number(ticket) })))
  return hasUnknown || rows.some(({ ahead }) => ahead === 'others') ? 'others' : 'nobody'
}
