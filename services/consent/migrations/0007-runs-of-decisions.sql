-- The bridge asks four questions a message, and each had an entry in the index of callers and in that of patients. Decisions of
-- one caller that are written together are a run, and those of them about one patient are another (store/runs.ts): the indexes
-- hold the first row of a run, and the others say which that is. None: the row is a run of its own, as every row that was written
-- before this, and what copies of an older version still write.
alter table consent.audit_events
  add column caller_run bigint,
  add column patient_run bigint;
alter table consent.audit_events
  alter column caller_run set statistics 0,
  alter column patient_run set statistics 0;

drop index consent.audit_events_by_subject;
create index audit_events_by_subject on consent.audit_events (subject, at) where caller_run is null;
drop index consent.audit_events_by_patient;
create index audit_events_by_patient on consent.audit_events (patient_id, at)
  where patient_id is not null and patient_run is null;
