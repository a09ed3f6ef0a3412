import type { Database, Queryable, Transaction } from '../../../packages/sql/database.ts'
import type { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { accessOutcomes, evaluationOutcomes, type AuditEvent } from './audit-event.ts'

/** The topic under which events wait to become FHIR AuditEvents; it is named after the first that did. */
export const toldTopic = 'consent.decisions'

/** One event as it waits in the outbox. */
export interface ToldEvent extends Omit<AuditEvent, 'at' | 'event' | 'decisionId' | 'patientsSeen'> {
  readonly id: string
  readonly at: string
}

/** One message holds so many: the store writes those of a message together. */
const perMessageMax = 100

/** Tells the FHIR store of events, in the transaction that writes them to the trail. */
export class EventTelling {
  readonly #database: Database
  readonly #outbox: Pick<Outbox, 'enqueue'>

  constructor({ database, outbox }: { readonly database: Database; readonly outbox: Pick<Outbox, 'enqueue'> }) {
    this.#database = database
    this.#outbox = outbox
  }

  async writeWith(events: readonly AuditEvent[], write: (on: Queryable) => Promise<void>): Promise<void> {
    if (toldEvents(events).length === 0) return write(this.#database)
    await this.#database.transaction(async (tx) => {
      await write(tx)
      await this.tell(events, tx)
    })
  }

  async tell(events: readonly AuditEvent[], tx: Transaction): Promise<void> {
    const messages = messagesOf(toldEvents(events))
    if (messages.length > 0) await this.#outbox.enqueue(tx, ...messages)
  }
}

/**
 * Those of the network: decisions that were asked for, and what was done with records. A service of this process asks
 * because of a message or a referral, which has an AuditEvent of its own. Calls that got no decision stay in the trail:
 * anybody could fill the store with them.
 */
function toldEvents(events: readonly AuditEvent[]): readonly ToldEvent[] {
  return events.flatMap(({ event: _event, decisionId, patientsSeen: _patientsSeen, at, ...rest }) =>
    decisionId === null || rest.peer === null || !told.has(rest.outcome)
      ? []
      : [{ ...rest, id: decisionId, at: at.toISOString() }],
  )
}

const told: ReadonlySet<AuditEvent['outcome']> = new Set([...evaluationOutcomes, ...accessOutcomes])

function messagesOf(events: readonly ToldEvent[]) {
  const count = Math.ceil(events.length / perMessageMax)
  return Array.from({ length: count }, (_, n) => ({
    topic: toldTopic,
    payload: events.slice(n * perMessageMax, (n + 1) * perMessageMax),
  }))
}
