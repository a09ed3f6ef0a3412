import type { TransactionRow } from '../../store/transactions.ts'

const at = new Date('2026-03-04T10:15:00Z')

/** A line of the log about an admission that went through, but for what a test says. */
export const transactionRow = (changes: Partial<TransactionRow> = {}): TransactionRow => ({
  ...{ id: '20260304-101500123-CENTRAL-9f3b', channel_id: 'adt', status: 'SUCCESS', message_type: 'ADT^A01' },
  ...{ control_id: 'C1', sending_application: 'HIS', sending_facility: 'CENTRAL', facility_code: 'CENTRAL' },
  ...{
    patient: 'Patient/p1',
    golden_patient_id: 'g1',
    fhir_resource_id: 'Encounter/e1',
    warnings: {},
    stage: 'PERSIST',
  },
  resources: [{ reference: 'Patient/p1', type: 'Patient', versionId: '2', operation: 'update' }],
  ...{ stage_ms: { ENRICH: 2, PERSIST: 8 }, ack_code: 'AA', error_code: null, error_message: null, attempts: 1 },
  ...{ next_attempt_at: null, parent_transaction_id: null, is_stale: false, content_mismatch: false },
  ...{ peer: '192.0.2.7', bytes: 900 },
  ...{ received_at: at, completed_at: at, duration_ms: 12 },
  ...changes,
})
