-- What was written with every message and read by nobody (decision 0973). Codes that have no counterpart are in
-- bridge.unmapped_codes, the visit is among the resources, and the facility has its code.
drop view bridge.all_transactions;

alter table bridge.transactions drop column organization, drop column encounter, drop column unmapped;

create view bridge.all_transactions as
  select id, channel_id, status, message_type, control_id, sending_application, sending_facility, facility_code,
    patient, patient_keys, golden_patient_id, fhir_resource_id, resources, warnings, stage, stage_ms, ack_code,
    error_code, error_message, attempts, next_attempt_at, parent_transaction_id, is_stale, content_mismatch, peer,
    bytes, received_at, completed_at, duration_ms
  from bridge.transactions
  union all
  select m.transaction_id, m.channel_id, 'PROCESSING', m.message_type, m.control_id, m.sending_application,
    m.sending_facility, m.facility_code, null, m.patient_keys, null, null, '[]'::jsonb, '{}'::jsonb, 'RECEIVE',
    '{}'::jsonb, null, null, null, w.attempt, null, m.parent_transaction_id, false, false, m.peer, length(m.raw),
    m.received_at, null, null
  from bridge.open_work w
  join bridge.raw_messages m on m.transaction_id = w.transaction_id
  where w.is_main and not exists (select 1 from bridge.transactions t where t.id = w.transaction_id);

-- The embedded audit repository is read from its beginning, to verify it, and by digest.
drop index bridge.audit_records_by_patient;
drop index bridge.audit_records_by_user;
drop index bridge.audit_records_by_time;
