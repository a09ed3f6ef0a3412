-- Referrals, their tasks, and what happened to them. Times are given by the application's clock.

-- The next free number of each kind; copies take them by the block.
create table referral.id_blocks (
  name text primary key,
  next_id bigint not null
);

insert into referral.id_blocks (name, next_id) values ('referrals', 1), ('tasks', 1);

create table referral.referrals (
  id bigint primary key,
  status text not null check (status in ('DRAFT', 'ACTIVE', 'ONHOLD', 'COMPLETED', 'REVOKED')),
  -- 0 STAT, 1 ASAP, 2 URGENT, 3 ROUTINE: the order of an inbox.
  priority smallint not null check (priority between 0 and 3),
  patient_id text not null,
  requester_id text not null,
  receiving_facility_client_id text not null,
  performer_id text,
  referral_code text,
  referral_display text,
  reason_codes text[] not null,
  clinical_note text,
  shared_resource_types text[] not null,
  supporting_info text[] not null,
  occurrence_date date,
  status_reason text,
  consent_verified boolean not null,
  authored_on timestamptz,
  attention text,
  created_by text not null,
  sending_organisation text,
  sending_client_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  held_at timestamptz,
  version integer not null
);

create index referrals_by_creator on referral.referrals (created_by, created_at desc, id desc);
create index referrals_by_patient on referral.referrals (patient_id, created_at desc, id desc);
create index referrals_inbox on referral.referrals (performer_id, priority, created_at, id) where status = 'ACTIVE';
create index referrals_facility_inbox on referral.referrals (receiving_facility_client_id, priority, created_at, id)
  where status = 'ACTIVE';
create index referrals_by_status on referral.referrals (status);

create table referral.tasks (
  id bigint primary key,
  referral_id bigint not null references referral.referrals (id),
  status text not null check (status in ('REQUESTED', 'RECEIVED', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'INPROGRESS',
    'COMPLETED', 'ONHOLD', 'FAILED')),
  receiving_facility_client_id text not null,
  performer_id text,
  note text,
  rejection_reason text,
  accept_by timestamptz not null,
  overdue_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index tasks_by_referral on referral.tasks (referral_id, id);

-- Append only: no statement of the service updates or deletes a row of the two tables below.
create table referral.events (
  id uuid primary key,
  referral_id bigint not null,
  task_id bigint,
  at timestamptz not null,
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  actor text not null,
  actor_organisation text,
  request_id text,
  decisions jsonb not null
);

create index events_by_referral on referral.events (referral_id, id);

-- Also what was refused. Ids only: no name, no note, no reason in words.
create table referral.audit_events (
  id uuid primary key,
  at timestamptz not null,
  action text not null,
  outcome text not null check (outcome in ('success', 'refused')),
  referral_id bigint not null,
  task_id bigint,
  patient_id text not null,
  subject text not null,
  client_id text not null,
  organisation text,
  peer text,
  request_id text
);

create index audit_events_by_time on referral.audit_events (at);
