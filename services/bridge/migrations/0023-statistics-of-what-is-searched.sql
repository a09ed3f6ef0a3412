-- Nothing is looked for by these columns, so the planner has no use for how their values spread. A young log is analysed
-- again and again beside its writers, and the sample of what is wide here, the bytes of messages and what was sent, was
-- most of what that costs. As fhir 0008 and consent 0003 have it.
alter table bridge.raw_messages
  alter column channel_id set statistics 0,
  alter column message_type set statistics 0,
  alter column control_id set statistics 0,
  alter column sending_application set statistics 0,
  alter column sending_facility set statistics 0,
  alter column facility_code set statistics 0,
  alter column patient_keys set statistics 0,
  alter column peer set statistics 0,
  alter column raw set statistics 0;
alter table bridge.answers
  alter column ack set statistics 0;
alter table bridge.transactions
  alter column fhir_resource_id set statistics 0,
  alter column resources set statistics 0,
  alter column warnings set statistics 0,
  alter column stage set statistics 0,
  alter column stage_ms set statistics 0,
  alter column error_message set statistics 0,
  alter column peer set statistics 0,
  alter column bytes set statistics 0,
  alter column duration_ms set statistics 0;
alter table bridge.seen
  alter column content set statistics 0;
alter table bridge.deliveries
  alter column endpoint set statistics 0,
  alter column payload set statistics 0,
  alter column answered set statistics 0;
alter table bridge.sink_deliveries
  alter column body set statistics 0;
