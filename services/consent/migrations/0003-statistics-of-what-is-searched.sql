-- The trail is looked at by chain, patient, caller and time. How the other columns spread is of no use to the planner, and
-- taking a sample of them was most of what ANALYZE costs here.
alter table consent.audit_events
  alter column event set statistics 0,
  alter column outcome set statistics 0,
  alter column client_id set statistics 0,
  alter column peer set statistics 0,
  alter column request_id set statistics 0,
  alter column decision_id set statistics 0,
  alter column actor_references set statistics 0,
  alter column resource_type set statistics 0,
  alter column operation set statistics 0,
  alter column purpose_of_use set statistics 0,
  alter column as_of set statistics 0,
  alter column record_id set statistics 0,
  alter column patients_seen set statistics 0,
  alter column hash set statistics 0;
