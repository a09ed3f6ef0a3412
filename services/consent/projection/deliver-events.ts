import type { AuditEvent } from '../../../packages/fhir/r4.ts'
import type { Outbox, OutboxBatchWorker } from '../../../packages/sql/tasks/outbox.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { writeAuditEvents } from '../../../ports/fhir-store/write-audit-events.ts'
import { accessOutcomes } from '../audit/audit-event.ts'
import { toldTopic, type ToldEvent } from '../audit/told-events.ts'
import { projectAccess, type ToldAccess } from './project-access.ts'
import { projectDecision } from './project-decision.ts'

/** Brings events to the FHIR store as AuditEvents, many together, each once however often it is tried. */
export function deliverEvents(
  store: Pick<FhirStore, 'capabilities' | 'transaction'>,
  { outbox }: { readonly outbox: Outbox },
): OutboxBatchWorker<readonly ToldEvent[]> {
  return outbox.deliverInBatches<readonly ToldEvent[]>({
    topics: [toldTopic],
    gatherMs: 500,
    batchMax: 20,
    // At five minutes between attempts a store may refuse for three days; while it is away nothing is counted.
    attemptsMax: 1_000,
    handle: async (tasks, signal) => {
      const events = tasks.flatMap(({ payload }) => payload)
      await writeAuditEvents(events, project, store, { signal })
    },
  })
}

const project = (event: ToldEvent): AuditEvent => (isAccess(event) ? projectAccess(event) : projectDecision(event))

const isAccess = (event: ToldEvent): event is ToldAccess => accessOutcomes.some((access) => access === event.outcome)
