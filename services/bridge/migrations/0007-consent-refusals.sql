-- Which answer of the consent service stopped a message, for whoever has to explain or mend it.
create table bridge.consent_refusals (
  transaction_id text collate "C" primary key,
  patient_id text not null,
  actor text not null,
  resource_type text not null,
  operation text not null,
  -- The five checks and the verdict, as the consent service gave them.
  reason text not null,
  -- The record that decided, or that came closest.
  consent_record_id bigint
);
