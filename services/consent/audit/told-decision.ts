import type { Database, Queryable } from '../../../packages/sql/database.ts'
import type { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { evaluationOutcomes, type AuditEvent } from './audit-event.ts'

/** The topic under which decisions wait to become FHIR AuditEvents. */
export const decisionTopic = 'consent.decisions'

/** One decision as it waits in the outbox; its id is that of the decision. */
export interface ToldDecision extends Omit<AuditEvent, 'at' | 'event' | 'decisionId' | 'patientsSeen'> {
  readonly id: string
  readonly at: string
}

/** One message holds so many: the store writes those of a message together. */
const perMessageMax = 100

/** Writes events of the trail, and in the same transaction what the FHIR store is told of them. */
export class DecisionTelling {
  readonly #database: Database
  readonly #outbox: Pick<Outbox, 'enqueue'>

  constructor({ database, outbox }: { readonly database: Database; readonly outbox: Pick<Outbox, 'enqueue'> }) {
    this.#database = database
    this.#outbox = outbox
  }

  async writeWith(events: readonly AuditEvent[], write: (on: Queryable) => Promise<void>): Promise<void> {
    const decisions = toldDecisions(events)
    if (decisions.length === 0) return write(this.#database)
    await this.#database.transaction(async (tx) => {
      await write(tx)
      await this.#outbox.enqueue(tx, ...messagesOf(decisions))
    })
  }
}

/**
 * Those that were asked for over the network. A service of this process asks because of a message or a referral, which
 * has an AuditEvent of its own. Calls that got no decision stay in the trail: anybody could fill the store with them.
 */
function toldDecisions(events: readonly AuditEvent[]): readonly ToldDecision[] {
  return events.flatMap(({ event: _event, decisionId, patientsSeen: _patientsSeen, at, ...rest }) =>
    decisionId === null || rest.peer === null || !evaluationOutcomes.some((decided) => decided === rest.outcome)
      ? []
      : [{ ...rest, id: decisionId, at: at.toISOString() }],
  )
}

function messagesOf(decisions: readonly ToldDecision[]) {
  const count = Math.ceil(decisions.length / perMessageMax)
  return Array.from({ length: count }, (_, n) => ({
    topic: decisionTopic,
    payload: decisions.slice(n * perMessageMax, (n + 1) * perMessageMax),
  }))
}
