-- What leaves the bridge after a message: deliveries to subscribers, what the embedded receivers of the demo took, the
-- work of the embedded coordination service, and the embedded audit repository. What waits to be sent lies in kit.outbox.

-- One row for a subscription and a version of a resource that it matched: the log of what was sent where, when and with
-- which answer. The id follows from subscription and version, so evaluating twice adds nothing.
create table bridge.deliveries (
  id uuid primary key,
  subscription_id text not null,
  transaction_id text not null,
  -- `Patient/…`; none for what is about no patient. Deliveries of one subscription and patient go out in order.
  patient text,
  resource text not null,
  version_id text,
  channel text not null check (channel in ('message', 'rest-hook', 'sms')),
  -- Where it went or shall go, and what: an HL7 message, a FHIR resource or a short text, by the channel.
  endpoint text not null,
  payload text not null,
  status text not null check (status in ('waiting', 'delivered', 'dead', 'skipped')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  settled_at timestamptz,
  last_error text,
  -- What the other side answered, in a few words: `AA`, `201`.
  answered text
);

create index deliveries_by_transaction on bridge.deliveries (transaction_id);
create index deliveries_by_subscription on bridge.deliveries (subscription_id, created_at desc, id);
create index deliveries_open on bridge.deliveries (created_at) where status in ('waiting', 'dead');

-- Which of our subscriptions were written to the FHIR store once: what an administrator removed stays removed.
create table bridge.seeded_subscriptions (
  id text primary key,
  seeded_at timestamptz not null
);

-- What the embedded receivers took, the last few of each, for the operator of a demo to look at.
create table bridge.sink_deliveries (
  id uuid primary key,
  channel text not null,
  target text not null,
  delivery_key text,
  body text not null,
  received_at timestamptz not null
);

create index sink_deliveries_by_time on bridge.sink_deliveries (received_at desc);

-- The embedded coordination service. Events that it has taken, so that one that comes twice counts once.
create table bridge.coordination_events (
  id uuid primary key,
  taken_at timestamptz not null
);

create index coordination_events_by_time on bridge.coordination_events (taken_at);

-- Summaries of patients. A section that an event has touched is stale until it is built again.
create table bridge.patient_summaries (
  patient text primary key,
  content jsonb not null,
  stale_sections text[] not null,
  built_at timestamptz not null
);

-- What decision support said (cards in the shape of CDS Hooks), one row a rule and resource version.
create table bridge.cds_cards (
  id uuid primary key,
  patient text not null,
  resource text not null,
  rule text not null,
  card jsonb not null,
  created_at timestamptz not null
);

create index cds_cards_by_patient on bridge.cds_cards (patient, created_at desc);

-- Critical results that somebody must have seen; escalated until they have.
create table bridge.alerts (
  id uuid primary key,
  patient text not null,
  resource text not null,
  transaction_id text not null,
  raised_at timestamptz not null,
  escalations integer not null default 0,
  escalate_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text
);

create index alerts_to_escalate on bridge.alerts (escalate_at) where escalate_at is not null;
create index alerts_by_patient on bridge.alerts (patient, raised_at desc);

-- The embedded audit repository: every record as it came, only ever added to. The hash of a row covers the row before
-- it, so an edited, removed or inserted row breaks the chain.
create table bridge.audit_records (
  position bigint primary key,
  -- SHA-256 of the record: one that is sent twice is here once.
  digest text not null unique,
  received_at timestamptz not null,
  event_at timestamptz,
  event_id text,
  event_type text,
  action text,
  outcome text,
  source_user text,
  patient text,
  record text not null,
  hash text not null
);

create index audit_records_by_patient on bridge.audit_records (patient, event_at) where patient is not null;
create index audit_records_by_user on bridge.audit_records (source_user, event_at);
create index audit_records_by_time on bridge.audit_records (event_at);

create table bridge.audit_chain (
  one boolean primary key check (one),
  length bigint not null,
  head_hash text not null
);

insert into bridge.audit_chain (one, length, head_hash) values (true, 0, '');
