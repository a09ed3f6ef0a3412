import type { Outbox, OutboxBatchWorker } from '../../../packages/sql/tasks/outbox.ts'
import { isRefusalOfUs } from '../../../packages/sql/tasks/outside.ts'
import type { AuditRepository } from '../../../ports/audit-repository/audit-repository.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { writeAuditEvents } from '../../../ports/fhir-store/write-audit-events.ts'
import type { PassBoundary } from '../pipeline/boundaries.ts'
import { actionAuditEvent } from './action-audit-event.ts'
import { actionXml } from './action-xml.ts'
import { auditTopics } from './audit-telling.ts'
import type { AuditRecord } from './audit-record.ts'
import type { AuditSource } from './dicom-parts.ts'
import { dicomXml } from './dicom-xml.ts'
import { fhirAuditEvent } from './fhir-audit-event.ts'
import type { ActionRecord } from './operator-action.ts'
import { pastRefused } from './past-refused.ts'

/** Of a message, or of what somebody did. */
type Spooled = AuditRecord | ActionRecord

interface SendAuditDeps {
  readonly outbox: Outbox
  readonly passBoundary: PassBoundary
}

/** Brings the spooled records to the repository, as many over one connection as there are. */
export function sendToRepository(
  repository: AuditRepository,
  source: AuditSource,
  { outbox, passBoundary }: SendAuditDeps,
): OutboxBatchWorker<readonly Spooled[]> {
  const send = pastRefused((messages, signal) => repository.send(messages, { signal }))
  return outbox.deliverInBatches<readonly Spooled[]>({
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
        xml: 'did' in record ? actionXml(record, source) : dicomXml(record, source),
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
): OutboxBatchWorker<readonly Spooled[]> {
  const eventOf = (record: Spooled) =>
    'did' in record ? actionAuditEvent(record, source) : fhirAuditEvent(record, source)
  return outbox.deliverInBatches<readonly Spooled[]>({
    topics: [auditTopics.fhir],
    gatherMs: 500,
    batchMax: 20,
    backoff: { baseMs: 1_000, maxMs: 30_000, multiplier: 2, jitter: 0.2 },
    // Until people have mended what the store refuses to us: a day. Else one that fails by itself is kept as dead soon.
    attemptsMax: 3_000,
    isPermanent: (fault, attempt) => attempt >= ownAttemptsMax && !isRefusalOfUs(fault),
    handle: async (tasks, signal) => {
      const records = tasks.flatMap(({ payload }) => payload)
      await writeAuditEvents(records, eventOf, store, { signal })
      passBoundary('audited')
    },
  })
}

const ownAttemptsMax = 10
