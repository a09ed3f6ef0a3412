import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import { knownAtReceipt, waitsForPatient, type Known, type Outcome } from '../pipeline/outcome.ts'
import { durationMsOf, type Duplicate, type Finished } from '../pipeline/finished.ts'
import { rawFacts } from './journal-statements.ts'
import type { SettledWork, Settling } from './settling.ts'

/** The part of S that writes the transaction log: the rows, the answers, earlier runs, bytes that were not journaled. */
export function logStatements(items: readonly Settling[]): readonly Statement[] {
  const answered = items.filter(({ ack }) => ack !== undefined)
  const unjournaled = items.filter(({ raw }) => raw !== undefined)
  const rerun = items.filter(({ work }) => work !== undefined && (work.run > 1 || work.park !== undefined))
  return [
    upsertTransactions(items),
    ...(answered.length === 0 ? [] : [keepAnswers(answered)]),
    ...(unjournaled.length === 0 ? [] : [keepUnjournaled(unjournaled)]),
    ...(rerun.length === 0 ? [] : [keepAttempts(rerun)]),
  ]
}

/**
 * One that was parked or run before has a row already. What its sender was told then stays, and so does what was written
 * for it: a run that did not come so far takes nothing away.
 */
function upsertTransactions(items: readonly Settling[]): Statement {
  return kept(
    'bridge_upsert_transactions',
    sql`
    insert into bridge.transactions as t (${writtenColumns})
    select ${writtenColumns}
    from json_populate_recordset(null::bridge.transactions, ${JSON.stringify(items.map(rowOf))}::json)
    on conflict (id) do update set
      status = excluded.status,
      facility_code = coalesce(excluded.facility_code, t.facility_code),
      patient = coalesce(excluded.patient, t.patient),
      golden_patient_id = coalesce(excluded.golden_patient_id, t.golden_patient_id),
      fhir_resource_id = coalesce(excluded.fhir_resource_id, t.fhir_resource_id),
      resources = case when excluded.status <> 'SUCCESS' and excluded.resources = '[]' then t.resources
        else excluded.resources end,
      -- Of its batch a later run knows nothing (work.ts).
      warnings = case when t.warnings -> 'batch-differs' is null then excluded.warnings
        else excluded.warnings || '{"batch-differs": 1}' end,
      stage = excluded.stage,
      stage_ms = excluded.stage_ms,
      ack_code = coalesce(t.ack_code, excluded.ack_code),
      error_code = excluded.error_code,
      error_message = excluded.error_message,
      attempts = excluded.attempts,
      next_attempt_at = excluded.next_attempt_at,
      is_stale = excluded.is_stale,
      completed_at = excluded.completed_at,
      duration_ms = excluded.duration_ms`,
  )
}

/** By their names: what a later version adds has its default also where this one still writes. */
const writtenColumns = sql`id, channel_id, status, message_type, control_id, sending_application, sending_facility,
  facility_code, patient, patient_keys, golden_patient_id, fhir_resource_id, resources, warnings, stage, stage_ms,
  ack_code, error_code, error_message, attempts, next_attempt_at, parent_transaction_id, is_stale, content_mismatch, peer,
  bytes, received_at, completed_at, duration_ms`

function rowOf({ finished, facility, patientKeys, byteLength, parent, work }: Settling): object {
  const { outcome, receivedAt, finishedAt } = finished
  const isThrough = outcome.status !== 'QUEUED'
  const known = outcome.status === 'DUPLICATE' ? nothingKnown : knownOf(outcome)
  return {
    id: finished.transactionId,
    channel_id: finished.channelId,
    status: outcome.status,
    message_type: finished.messageType,
    control_id: finished.controlId,
    sending_application: finished.sendingApplication,
    sending_facility: finished.sendingFacility,
    facility_code: known.facility_code ?? (facility === '' ? null : facility),
    ...known.columns,
    patient_keys: patientKeys,
    ack_code: finished.ackCode,
    ...errorOf(outcome),
    attempts: finished.attempt,
    // Who waits for another of its patient is woken by the end of that one, not by the clock.
    next_attempt_at: waitsForAnother(outcome) ? null : (work?.park?.dueAt ?? null),
    parent_transaction_id: outcome.status === 'DUPLICATE' ? outcome.of : parent,
    content_mismatch: outcome.status === 'DUPLICATE' && outcome.hasOtherContent,
    peer: finished.peer,
    bytes: byteLength,
    received_at: receivedAt,
    completed_at: isThrough ? finishedAt : null,
    duration_ms: isThrough ? durationMsOf(finished) : null,
  }
}

const waitsForAnother = (outcome: Outcome | Duplicate): boolean =>
  outcome.status === 'QUEUED' && outcome.errorCode === waitsForPatient

const knownOf = (known: Known) => ({
  facility_code: known.facilityCode,
  columns: {
    patient: known.patient,
    golden_patient_id: known.goldenPatientId,
    fhir_resource_id: known.fhirResourceId,
    resources: known.resources,
    warnings: known.warnings,
    stage: known.stage,
    stage_ms: known.stageMs,
    is_stale: known.isStale,
  },
})

const nothingKnown = knownOf(knownAtReceipt)

const errorOf = (outcome: Outcome | Duplicate) =>
  outcome.status === 'ERROR' || outcome.status === 'QUEUED'
    ? { error_code: outcome.errorCode, error_message: outcome.errorMessage }
    : {}

function keepAnswers(answered: readonly Settling[]): Statement {
  return kept(
    'bridge_keep_answers',
    sql`
    insert into bridge.answers (transaction_id, ack)
    select * from unnest(${idsOf(answered)}::text[], ${answered.map(({ ack }) => ack ?? null)}::bytea[])
    on conflict (transaction_id) do nothing`,
  )
}

function keepUnjournaled(items: readonly Settling[]): Statement {
  const facts = items.map(({ finished, facility, patientKeys }) =>
    rawFacts({ ...finished, header: finished, facility, patientKeys }),
  )
  const certificates = items.map(({ certificateName }) => certificateName ?? null)
  return kept(
    'bridge_keep_unjournaled',
    sql`
    insert into bridge.raw_messages
      (transaction_id, channel_id, message_type, control_id, sending_application, sending_facility, facility_code,
       patient_keys, peer, certificate_name, received_at, raw)
    select f.transaction_id, f.channel_id, f.message_type, f.control_id, f.sending_application, f.sending_facility,
      f.facility_code, f.patient_keys, f.peer, m.certificate, f.received_at, m.raw
    from unnest(${items.map(({ raw }) => raw ?? null)}::bytea[], ${facts}::jsonb[], ${certificates}::text[])
      as m (raw, facts, certificate)
    cross join lateral jsonb_populate_record(null::bridge.raw_messages, m.facts) as f
    on conflict (transaction_id) do nothing`,
  )
}

function keepAttempts(items: readonly Settling[]): Statement {
  return kept(
    'bridge_keep_attempts',
    sql`
    insert into bridge.attempts (${attemptColumns})
    select ${attemptColumns}
    from json_populate_recordset(null::bridge.attempts, ${JSON.stringify(items.map(attemptOf))}::json)
    on conflict (transaction_id, run) do nothing`,
  )
}

const attemptColumns = sql`transaction_id, attempt, run, ended_at, status, stage, stage_ms, was_called, error_code,
  error_message`

function attemptOf({ finished, work }: Settling): object {
  const { outcome } = finished
  const known = outcome.status === 'DUPLICATE' ? undefined : outcome
  return {
    transaction_id: finished.transactionId,
    attempt: finished.attempt,
    run: (work satisfies SettledWork | undefined)?.run ?? 1,
    ended_at: finished.finishedAt,
    status: outcome.status,
    stage: known?.stage ?? 'RECEIVE',
    stage_ms: known?.stageMs ?? {},
    was_called: outcome.status !== 'QUEUED' || outcome.wasCalled,
    ...errorOf(outcome),
  }
}

const idsOf = (items: readonly Settling[]) => items.map(({ finished }) => (finished satisfies Finished).transactionId)
