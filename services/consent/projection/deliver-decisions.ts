import type { Outbox, OutboxBatchWorker } from '../../../packages/sql/tasks/outbox.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { writeAuditEvents } from '../../../ports/fhir-store/write-audit-events.ts'
import { decisionTopic, type ToldDecision } from '../audit/told-decision.ts'
import { projectDecision } from './project-decision.ts'

/** Brings decisions to the FHIR store as AuditEvents, many together, each once however often it is tried. */
export function deliverDecisions(
  store: Pick<FhirStore, 'capabilities' | 'transaction'>,
  { outbox }: { readonly outbox: Outbox },
): OutboxBatchWorker<readonly ToldDecision[]> {
  return outbox.deliverInBatches<readonly ToldDecision[]>({
    topics: [decisionTopic],
    gatherMs: 500,
    batchMax: 20,
    // At five minutes between attempts a store may refuse for three days; while it is away nothing is counted.
    attemptsMax: 1_000,
    handle: async (tasks, signal) => {
      const decisions = tasks.flatMap(({ payload }) => payload)
      await writeAuditEvents(decisions, projectDecision, store, { signal })
    },
  })
}
