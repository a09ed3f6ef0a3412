import type { Queryable } from '../../../packages/sql/database.ts'
import type { Outbox, OutboxWorker } from '../../../packages/sql/tasks/outbox.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { loadRecord } from '../store/records.ts'
import { projectionTopic, type RecordChanged } from './announce.ts'
import { projectConsent } from './project-consent.ts'

interface DeliverDeps {
  readonly database: Queryable
  readonly outbox: Outbox
  /** The resource types of R4. */
  readonly resourceTypes: ReadonlySet<string>
}

/** Brings every changed record to the FHIR store, each as it is at that moment, until the store has taken it. */
export function deliverConsents(
  store: Pick<FhirStore, 'update'>,
  { database, outbox, resourceTypes }: DeliverDeps,
): OutboxWorker<RecordChanged> {
  return outbox.deliver<RecordChanged>({
    topics: [projectionTopic],
    concurrency: 4,
    // At five minutes between attempts a store may be away for three days.
    attemptsMax: 1_000,
    isPermanent: ({ kind }) => kind === 'unprocessable' || kind === 'incorrect',
    handle: async ({ payload }, signal) => {
      const record = await loadRecord(payload.recordId, database)
      if (record !== undefined) await store.update(projectConsent(record, resourceTypes), { signal })
    },
  })
}
