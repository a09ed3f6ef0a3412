-- The patient index: what of each Patient says who it is, and the keys under which it is looked for. Written in the
-- transaction that writes the Patient; match/README.md says how it is used.

create table fhir.index_people (
  patient_id text collate "C" primary key,
  -- The record that this person's records refer to; the Patient itself while it refers to none.
  golden_id text collate "C" not null,
  -- A golden record whose first record was announced but is not written yet; the row goes when it is.
  provisional boolean not null,
  -- Of everything below: an update that changes nothing about who it is writes nothing here.
  fingerprint bigint not null,
  -- As match/person.ts makes it, in JSON.
  person text not null,
  -- `family diallo`, `given amina`: what the frequency of names is counted over.
  name_parts text[] not null
);
create index index_people_by_golden on fhir.index_people (golden_id);

create table fhir.index_keys (
  key text collate "C" not null,
  patient_id text collate "C" not null,
  primary key (key, patient_id)
);
create index index_keys_by_patient on fhir.index_keys (patient_id);

-- Two golden records that may be one person; somebody has to decide.
create table fhir.index_reviews (
  id uuid primary key,
  golden_id text collate "C" not null,
  -- The golden record that it resembles, and which record of it did.
  candidate_golden_id text collate "C" not null,
  candidate_patient_id text collate "C" not null,
  probability double precision not null check (probability between 0 and 1),
  grade text not null check (grade in ('certain', 'probable', 'possible')),
  -- Fields and whether they agree, never their values.
  comparisons jsonb not null,
  status text not null check (status in ('open', 'confirmed', 'rejected')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  check ((status = 'open') = (decided_at is null)),
  unique (golden_id, candidate_golden_id)
);
create index index_reviews_by_status on fhir.index_reviews (status, probability desc, id);
create index index_reviews_by_candidate on fhir.index_reviews (candidate_golden_id);
