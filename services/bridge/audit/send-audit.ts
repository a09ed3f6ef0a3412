import type { Outbox, OutboxBatchWorker } from '../../../packages/sql/tasks/outbox.ts'
import { isRefusalOfUs } from '../../../packages/sql/tasks/outside.ts'
import type { AuditRepository } from '../../../ports/audit-repository/audit-repository.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { writeAuditEvents } from '../../../ports/fhir-store/write-audit-events.ts'
import type { PassBoundary } from '../pipeline/boundaries.ts'
import { auditTopics } from './audit-telling.ts'
import type { AuditRecord } from './audit-record.ts'
import { dicomXml, type AuditSource } from './dicom-xml.ts'
import { fhirAuditEvent } from './fhir-audit-event.ts'
import { pastRefused } from './past-refused.ts'

interface SendAuditDeps {
  readonly outbox: Outbox
  readonly passBoundary: PassBoundary
}

/** Brings the spooled records to the repository, as many over one connection as there are. */
export function sendToRepository(
  repository: AuditRepository,
  source: AuditSource,
  { outbox, passBoundary }: SendAuditDeps,
): OutboxBatchWorker<readonly AuditRecord[]> {
  const send = pastRefused((messages, signal) => repository.send(messages, { signal }))
  return outbox.deliverInBatches<readonly AuditRecord[]>({
    topics: [auditTopics.syslog],
    gatherMs: 500,
    batchMax: 50,
    backoff: { baseMs: 1_000, maxMs: 30_000, multiplier: 2, jitter: 0.2 },
    handle: async (tasks, signal) => {
      const records = tasks.flatMap(({ payload }) => payload)
      const messages = records.map((record) => ({
        id: record.id,
        at: new Date(record.at),
        processId: record.processId,
        xml: dicomXml(record, source),
      }))
      await send(messages, signal)
      passBoundary('audited')
    },
  })
}

/** Brings them to the FHIR store as AuditEvents, each with its id as a tag, so that one that comes twice is there once. */
export function sendToFhirStore(
  store: FhirStore,
  source: AuditSource,
  { outbox, passBoundary }: SendAuditDeps,
): OutboxBatchWorker<readonly AuditRecord[]> {
  return outbox.deliverInBatches<readonly AuditRecord[]>({
    topics: [auditTopics.fhir],
    gatherMs: 500,
    batchMax: 20,
    backoff: { baseMs: 1_000, maxMs: 30_000, multiplier: 2, jitter: 0.2 },
    // Until people have mended what the store refuses to us: a day. Else one that fails by itself is kept as dead soon.
    attemptsMax: 3_000,
    isPermanent: (fault, attempt) => attempt >= ownAttemptsMax && !isRefusalOfUs(fault),
    handle: async (tasks, signal) => {
      const records = tasks.flatMap(({ payload }) => payload)
      await writeAuditEvents(records, (record) => fhirAuditEvent(record, source), store, { signal })
      passBoundary('audited')
    },
  })
}

const ownAttemptsMax = 10
