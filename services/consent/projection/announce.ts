import type { Transaction } from '../../../packages/sql/database.ts'
import type { ConsentDeps } from '../deps.ts'
import type { ConsentRecord } from '../record/consent-record.ts'

/** The topic under which changed records wait to become FHIR Consents. */
export const projectionTopic = 'consent.projection'

/** Only the id is sent: whoever delivers it reads the record as it then is, so a late message can bring nothing old. */
export interface RecordChanged {
  readonly recordId: number
}

type AnnounceDeps = Pick<ConsentDeps, 'outbox' | 'settings'>

export async function announceRecord(
  { id }: Pick<ConsentRecord, 'id'>,
  tx: Transaction,
  { outbox, settings }: AnnounceDeps,
): Promise<void> {
  if (!settings.fhirProjection) return
  const payload: RecordChanged = { recordId: id }
  await outbox.enqueue(tx, { topic: projectionTopic, key: String(id), payload })
}
