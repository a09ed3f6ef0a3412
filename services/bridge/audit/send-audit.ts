import { incorrect, unavailable } from '../../../packages/faults/fault.ts'
import { asFarAsPossible } from '../../../packages/sql/as-far-as-possible.ts'
import type { Outbox, OutboxBatchWorker } from '../../../packages/sql/outbox.ts'
import type { AuditRepository } from '../../../ports/audit-repository/audit-repository.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Bundle } from '../../../ports/fhir-store/resources.ts'
import type { PassBoundary } from '../durable/boundaries.ts'
import { auditTopics } from './audit-telling.ts'
import type { AuditRecord } from './audit-record.ts'
import { dicomXml, type AuditSource } from './dicom-xml.ts'
import { auditIds, fhirAuditEvent } from './fhir-audit-event.ts'

export interface SendAuditDeps {
  readonly outbox: Outbox
  readonly passBoundary: PassBoundary
}

/** Brings the spooled records to the repository, as many over one connection as there are. */
export function sendToRepository(
  repository: AuditRepository,
  source: AuditSource,
  { outbox, passBoundary }: SendAuditDeps,
): OutboxBatchWorker<readonly AuditRecord[]> {
  return outbox.deliverInBatches<readonly AuditRecord[]>({
    topics: [auditTopics.syslog],
    gatherMs: 500,
    batchMax: 50,
    backoff: { baseMs: 1_000, maxMs: 30_000, multiplier: 2, jitter: 0.2 },
    handle: async (tasks, signal) => {
      const records = tasks.flatMap(({ payload }) => payload)
      const messages = records.map((record) => ({
        at: new Date(record.at),
        processId: record.processId,
        xml: dicomXml(record, source),
      }))
      await repository.send(messages, { signal })
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
    handle: async (tasks, signal) => {
      const { transaction } = await store.capabilities({ signal })
      const type = transaction ? 'transaction' : 'batch'
      const send = async (records: readonly AuditRecord[]) =>
        checkAnswer(await store.transaction(bundleOf(records, type, source), { signal }))
      await asFarAsPossible(
        tasks.flatMap(({ payload }) => payload),
        send,
      )
      passBoundary('audited')
    },
  })
}

const bundleOf = (records: readonly AuditRecord[], type: 'transaction' | 'batch', source: AuditSource): Bundle => ({
  resourceType: 'Bundle',
  type,
  entry: records.map((record) => ({
    resource: fhirAuditEvent(record, source),
    request: { method: 'POST', url: 'AuditEvent', ifNoneExist: `_tag=${auditIds}|${record.id}` },
  })),
})

/** Of a batch, entries may have failed by themselves. */
function checkAnswer({ entry = [] }: Bundle): void {
  for (const { response } of entry) {
    const status = Number(response?.status.slice(0, 3))
    if (status >= 200 && status < 300) continue
    const details = { code: 'AUDIT_EVENT_REFUSED', logged: `status ${response?.status ?? 'none'}` }
    if (status >= 400 && status < 500) throw incorrect('The FHIR store refuses an AuditEvent.', details)
    throw unavailable('The FHIR store did not take an AuditEvent.', details)
  }
}
