import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf, unavailable, type Fault } from '../../../packages/faults/fault.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sqlErrorOf } from '../../../packages/sql/sql-error.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { addCounts, countsOf } from './count-statements.ts'
import type { FinishPart } from './finished.ts'
import { logStatements } from './log-statements.ts'
import type { Settling } from './settling.ts'
import { fenceState, workStatements } from './work-statements.ts'

export interface SettlementDeps {
  readonly database: Database
  readonly clock: Clock
  /** Deliveries, audit records: what must become durable together with the end of a message. */
  readonly parts: readonly FinishPart[]
  readonly queueMax: number
}

/** The second durable point: outcome, answer, deliveries, audit and the end of the work, for all that wait, at once. */
export class Settlement {
  readonly #deps: SettlementDeps
  readonly #batcher: Batcher<Settling, true>
  #batches = 0

  constructor(deps: SettlementDeps) {
    this.#deps = deps
    const write = (items: readonly Settling[]) => this.#write(items, deps.parts)
    this.#batcher = new Batcher({ write, writers: 2, batchMax: 200, queueMax: deps.queueMax })
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
      if (isFenced(fault)) return this.#whenFenced(item)
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
    const { database, clock } = this.#deps
    const finished = items.map((item) => item.finished)
    const statements = [
      ...workStatements(items),
      ...logStatements(items),
      ...parts.map((part) => part.statement(finished)).filter((statement) => statement !== undefined),
      // Last, because whoever counts on the same row waits until we have committed.
      addCounts(countsOf(items), this.#batches++, clock.now()),
    ]
    await database.transaction((tx) => tx.commitWith(statements), { plans: 'kept' })
    for (const part of parts) part.committed(finished)
    return items.map(() => true)
  }

  /** Our own COMMIT whose answer was lost looks the same as another copy's: the log tells. */
  async #whenFenced({ finished }: Settling): Promise<void> {
    const row = await this.#deps.database.maybe<{ status: string; attempts: number }>(sql`
      select status, attempts from bridge.transactions where id = ${finished.transactionId}`)
    if (row?.status === finished.outcome.status && row.attempts === finished.attempt) return
    throw takenOver()
  }
}

const againMs = 200

const isFenced = (fault: Fault) => sqlErrorOf(fault)?.sqlState === fenceState

const takenOver = () =>
  unavailable('The message is being processed elsewhere. Send it again in a moment.', { code: 'TAKEN_OVER' })
