import type { Clock } from '../../../../packages/clock/clock.ts'
import { faultOf } from '../../../../packages/faults/fault.ts'
import type { Log } from '../../../../packages/log/log.ts'
import { Bell } from '../../../../packages/sql/tasks/bell.ts'
import type { Database } from '../../../../packages/sql/database.ts'
import { addSinkDeliveries, trimSinkDeliveries, type SinkDelivery } from '../store/sink-deliveries.ts'

interface KeptDeliveriesDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

const keptMax = 1_000
const gatherMs = 500

/**
 * The last that the receivers took, for somebody to look at. No answer waits for it: a sender of MLLP says one thing at
 * a time, so each message would be a commit of its own, and what a demo shows is not what anybody relies on.
 */
export class KeptDeliveries {
  readonly #deps: KeptDeliveriesDeps
  readonly #hurry = new Bell()
  #waiting: SinkDelivery[] = []
  #writing: Promise<void> | undefined
  #sinceTrim = 0

  constructor(deps: KeptDeliveriesDeps) {
    this.#deps = deps
  }

  add(delivery: SinkDelivery): void {
    this.#waiting.push(delivery)
    this.#write()
  }

  /** Resolves when all of it is written. */
  async drain(): Promise<void> {
    while (this.#writing !== undefined) {
      this.#hurry.ring()
      await this.#writing
    }
  }

  #write(): void {
    if (this.#waiting.length === 0) return
    this.#writing ??= this.#writeTogether().finally(() => {
      this.#writing = undefined
      this.#write()
    })
  }

  async #writeTogether(): Promise<void> {
    const { database, clock, log } = this.#deps
    await this.#hurry.wait(clock, gatherMs)
    const last = this.#waiting.slice(-keptMax)
    this.#waiting = []
    this.#sinceTrim += last.length
    try {
      await addSinkDeliveries(last, database)
      if (this.#sinceTrim < keptMax / 10) return
      this.#sinceTrim = 0
      await trimSinkDeliveries(keptMax, database)
    } catch (thrown) {
      const { kind, message, logged } = faultOf(thrown)
      log.warn('deliveries to the embedded receivers not kept', { faultKind: kind, error: logged ?? message })
    }
  }
}
