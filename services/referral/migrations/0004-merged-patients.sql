-- Patients who were merged into others, and the last survivor of each: their referrals are those of
-- that one.
create table referral.merged_patients (
  patient_id text primary key,
  survivor_id text not null,
  noted_at timestamptz not null,
  check (patient_id <> survivor_id)
);

create index merged_patients_by_survivor on referral.merged_patients (survivor_id);

-- One row: how far the FHIR store was looked through for merges, in the store's own time, and which copy looks now.
create table referral.merge_looks (
  id integer primary key check (id = 1),
  seen_until timestamptz,
  -- When it last moved on, and when it was last looked and checked for merges that were undone; in our time.
  raised_at timestamptz not null,
  looked_at timestamptz not null,
  checked_at timestamptz not null,
  holder uuid,
  held_until timestamptz not null
);

insert into referral.merge_looks (id, raised_at, looked_at, checked_at, held_until)
values (1, 'epoch', 'epoch', clock_timestamp(), 'epoch');
