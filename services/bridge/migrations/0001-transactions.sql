-- What came in, what became of it, and what is still to be done. Two transactions write it, each for many messages at
-- once: J when messages have come in (seen, lanes, raw_messages, open_work), S when they are through (transactions,
-- answers, and open_work gone).
--
-- A transaction id is time, sender and chance: 20260304-101500123-CENTRAL-9f3b2c81d4e7. It begins with the time, so the
-- order of ids is the order of receipt, days are ranges of ids, and new rows lie together at the end of every index.

-- The journal's bytes, and enough of their header to show a message that is still at work. Rows are never changed.
create table bridge.raw_messages (
  transaction_id text collate "C" primary key,
  channel_id text collate "C" not null,
  message_type text collate "C" not null,
  control_id text not null,
  sending_application text not null,
  sending_facility text not null,
  facility_code text,
  patient_keys text[] not null,
  peer text not null,
  received_at timestamptz not null,
  -- What this one was sent again for: the transaction that was refused.
  parent_transaction_id text collate "C",
  raw bytea not null
);

-- The answers as they were sent, kept as long as the bytes of the messages: a query's answer holds patients.
create table bridge.answers (
  transaction_id text collate "C" primary key,
  ack bytea not null
);

-- One row a message that is through or parked. It is written once, at its end: a row that began as PROCESSING would be
-- written twice into every index. What is still at work shows in bridge.all_transactions.
create table bridge.transactions (
  id text collate "C" primary key,
  channel_id text collate "C" not null,
  status text not null check (status in ('PROCESSING', 'QUEUED', 'SUCCESS', 'ERROR', 'DUPLICATE')),
  message_type text collate "C" not null,
  control_id text not null,
  sending_application text not null,
  sending_facility text not null,
  facility_code text,
  organization text,
  patient text,
  -- The identifiers as they stand in PID-3 and MRG-1, for the search.
  patient_keys text[] not null,
  golden_patient_id text,
  encounter text,
  fhir_resource_id text,
  -- [{ reference, type, versionId, operation }]
  resources jsonb not null,
  -- By kind, how often.
  warnings jsonb not null,
  unmapped jsonb not null,
  stage text not null,
  stage_ms jsonb not null,
  ack_code text,
  error_code text,
  error_message text,
  attempts integer not null,
  next_attempt_at timestamptz,
  -- A duplicate's first one; for a message sent again after a refusal, the refused one.
  parent_transaction_id text collate "C",
  is_stale boolean not null,
  content_mismatch boolean not null,
  peer text not null,
  bytes integer not null,
  received_at timestamptz not null,
  completed_at timestamptz,
  duration_ms integer
);

create index transactions_unsettled on bridge.transactions (status, id) where status in ('PROCESSING', 'QUEUED', 'ERROR');
create index transactions_by_facility on bridge.transactions (facility_code, id);
create index transactions_by_channel on bridge.transactions (channel_id, id);
create index transactions_by_type on bridge.transactions (message_type, id);
create index transactions_by_control_id on bridge.transactions (control_id);
create index transactions_by_patient on bridge.transactions (patient, id) where patient is not null;
create index transactions_by_golden_patient on bridge.transactions (golden_patient_id, id)
  where golden_patient_id is not null;
create index transactions_by_patient_key on bridge.transactions using gin (patient_keys);
create index transactions_by_parent on bridge.transactions (parent_transaction_id)
  where parent_transaction_id is not null;

-- How earlier runs of a message ended, for those that took more than one.
create table bridge.attempts (
  transaction_id text collate "C" not null,
  attempt integer not null,
  run integer not null,
  ended_at timestamptz not null,
  status text not null,
  stage text not null,
  stage_ms jsonb not null,
  was_called boolean not null,
  error_code text,
  error_message text,
  primary key (transaction_id, run)
);

-- By sender and control id, who was first within the window.
create table bridge.seen (
  key bytea primary key,
  transaction_id text collate "C" not null,
  seen_at timestamptz not null,
  content bytea not null,
  -- It was answered with a NACK: the next one is no duplicate.
  is_refused boolean not null,
  -- The refused transaction that this one repeats.
  parent_transaction_id text collate "C"
);

create index seen_by_time on bridge.seen (seen_at);

-- The last ticket that was given out in each lane. A lane is a patient, as one sender names it; the row's lock, held
-- until J is durable, is the order of messages from all connections and copies.
create table bridge.lanes (
  lane uuid primary key,
  last_ticket bigint not null,
  used_at timestamptz not null
) with (fillfactor = 70);

-- What is to be done: a row for each lane that a message holds. It may run when no lower ticket is in any of its lanes.
create table bridge.open_work (
  lane uuid not null,
  ticket bigint not null,
  transaction_id text collate "C" not null,
  channel_id text collate "C" not null,
  -- Who works on it; nobody while it is parked.
  copy text,
  -- One of a message's rows stands for all: when it is to be tried. Infinity: when those before it are gone.
  is_main boolean not null,
  due_at timestamptz,
  -- The number of the next attempt, and of the last one. A run that called nobody is no attempt.
  attempt integer not null,
  attempt_limit integer not null,
  runs integer not null,
  primary key (lane, ticket)
);

create index open_work_by_transaction on bridge.open_work (transaction_id);
create index open_work_due on bridge.open_work (due_at) where copy is null and is_main;

-- The running copies of the bridge. The work of one whose lease has passed belongs to nobody.
create table bridge.copies (
  id text primary key,
  -- Machine and process: a copy that starts again in the same place knows that the one before it is gone.
  place text not null,
  pid integer not null,
  lease_until timestamptz not null,
  started_at timestamptz not null
);

-- What the operator wants of each channel.
create table bridge.channels (
  channel_id text collate "C" primary key,
  wanted text not null check (wanted in ('RUNNING', 'PAUSED')),
  changed_at timestamptz not null,
  changed_by text
);

-- Counters that survive a restart: received, succeeded, failed, duplicates, queued, rejected, bytes, framingErrors,
-- ack.AA, trigger.A01. In shards, so that writers do not wait for each other; the number is their sum.
create table bridge.channel_counts (
  channel_id text collate "C" not null,
  name text collate "C" not null,
  shard smallint not null,
  value bigint not null,
  since timestamptz not null,
  last_at timestamptz not null,
  primary key (channel_id, name, shard)
) with (fillfactor = 50);

-- Every message of the log, those at work included: read this one, write to the tables.
create view bridge.all_transactions as
  select id, channel_id, status, message_type, control_id, sending_application, sending_facility, facility_code,
    organization, patient, patient_keys, golden_patient_id, encounter, fhir_resource_id, resources, warnings, unmapped,
    stage, stage_ms, ack_code, error_code, error_message, attempts, next_attempt_at, parent_transaction_id, is_stale,
    content_mismatch, peer, bytes, received_at, completed_at, duration_ms
  from bridge.transactions
  union all
  select m.transaction_id, m.channel_id, 'PROCESSING', m.message_type, m.control_id, m.sending_application,
    m.sending_facility, m.facility_code, null, null, m.patient_keys, null, null, null, '[]'::jsonb, '{}'::jsonb,
    '[]'::jsonb, 'RECEIVE', '{}'::jsonb, null, null, null, w.attempt, null, m.parent_transaction_id, false, false, m.peer,
    length(m.raw), m.received_at, null, null
  from bridge.open_work w
  join bridge.raw_messages m on m.transaction_id = w.transaction_id
  where w.is_main and not exists (select 1 from bridge.transactions t where t.id = w.transaction_id);
