-- One row for every evaluation call, answered or refused, and for every alert. Rows are only ever added. Each running
-- copy has a chain of its own, in which every row's hash covers the row before it: no writer waits for another, and
-- an edited, removed or inserted row breaks the chain.

create table consent.audit_events (
  chain uuid not null,
  position bigint not null,
  at timestamptz not null,
  event text not null,
  outcome text not null,
  subject text,
  client_id text,
  peer text,
  request_id text,
  decision_id uuid,
  patient_id text,
  actor_references text[] not null,
  resource_type text,
  operation text,
  purpose_of_use text,
  as_of date,
  record_id bigint,
  patients_seen integer,
  hash text not null,
  primary key (chain, position)
);

create index audit_events_by_patient on consent.audit_events (patient_id, at) where patient_id is not null;
create index audit_events_by_subject on consent.audit_events (subject, at);

-- How far each chain has come, so that rows cut off at its end are missed too, and how many decisions it holds.
create table consent.audit_chains (
  chain uuid primary key,
  length bigint not null,
  head_hash text not null,
  decisions bigint not null,
  updated_at timestamptz not null
);

-- Which patients a caller has asked about in the present window, up to the number that raises the alert.
create table consent.sightings (
  caller text not null,
  window_start timestamptz not null,
  patient_id text not null,
  primary key (caller, window_start, patient_id)
);

create index sightings_by_window on consent.sightings (window_start);

-- At most one alert for a caller and window, whichever copy notices first.
create table consent.enumeration_alerts (
  caller text not null,
  window_start timestamptz not null,
  patients integer not null,
  raised_at timestamptz not null,
  primary key (caller, window_start)
);
