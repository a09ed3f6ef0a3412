import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf, unavailable } from '../../../packages/faults/fault.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import { fencedCode, type DurableStore } from './durable-store.ts'
import type { FinishPart } from '../pipeline/finished.ts'
import type { Settling } from './settling.ts'

export interface SettlementDeps {
  readonly durable: DurableStore
  readonly clock: Clock
  /** Deliveries, audit records: what must become durable together with the end of a message. */
  readonly parts: readonly FinishPart[]
  readonly queueMax: number
  readonly gather: (() => Promise<void>) | undefined
}

/** The second durable point: outcome, answer, deliveries, audit and the end of the work, for all that wait, at once. */
export class Settlement {
  readonly #deps: SettlementDeps
  readonly #batcher: Batcher<Settling, true>
  #batches = 0

  constructor(deps: SettlementDeps) {
    this.#deps = deps
    const write = (items: readonly Settling[]) => this.#write(items, deps.parts)
    // One writer: two would halve the batches, and what a batch costs is mostly not its length.
    const { queueMax, gather } = deps
    this.#batcher = new Batcher({ write, writers: 1, batchMax: 200, queueMax, ...(gather && { gather }) })
  }

  /**
   * Resolves once the end of the message is durable. While the database is away it is tried again until the signal
   * says that nobody waits any more. Throws `takenOver` when the work has become another copy's.
   */
  async settle(item: Settling, signal: AbortSignal): Promise<void> {
    for (;;) {
      const fault = await this.#batcher.submit(item).then(
        () => undefined,
        (thrown: unknown) => faultOf(thrown),
      )
      if (fault === undefined) return
      if (fault.code === fencedCode) return this.#whenFenced(item)
      if (fault.kind !== 'unavailable' && fault.kind !== 'too-much') throw fault
      // Aborted: what is in the journal is run again by whoever finds it.
      await this.#deps.clock.sleep(againMs, signal).catch(() => Promise.reject(fault))
    }
  }

  /** Without deliveries and audit: for a message whose end could not be written because of them. */
  async settleAlone(item: Settling): Promise<void> {
    await this.#write([item], [])
  }

  close(): Promise<void> {
    return this.#batcher.close()
  }

  async #write(items: readonly Settling[], parts: readonly FinishPart[]): Promise<true[]> {
    const { durable, clock } = this.#deps
    await durable.settle(items, parts, { now: clock.now(), batch: this.#batches++ })
    const finished = items.map((item) => item.finished)
    for (const part of parts) part.committed(finished)
    return items.map(() => true)
  }

  /** Our own COMMIT whose answer was lost looks the same as another copy's: the log tells. */
  async #whenFenced({ finished }: Settling): Promise<void> {
    const row = await this.#deps.durable.endOf(finished.transactionId)
    if (row?.status === finished.outcome.status && row.attempts === finished.attempt) return
    throw takenOver()
  }
}

const againMs = 200

const takenOver = () =>
  unavailable('The message is being processed elsewhere. Send it again in a moment.', { code: 'TAKEN_OVER' })
