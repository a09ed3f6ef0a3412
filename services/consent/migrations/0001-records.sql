-- What patients have agreed to share, and the domain policies of the exchange. Ids are numbers handed out in blocks
-- (id_blocks) rather than by a sequence, so that a distributed engine can run this too. Expiry is never stored: it
-- follows from the period and the day of the question.

create table consent.records (
  id bigint primary key,
  version bigint not null,
  fhir_consent_id text not null unique,
  patient_id text,
  actor_reference text,
  provision_type text not null check (provision_type in ('permit', 'deny')),
  resource_classes text[] not null,
  scope_values text[] not null,
  permitted_operations text not null,
  period_start date,
  period_end date,
  scope_context text not null check (scope_context in ('patient', 'user', 'system')),
  purposes text[] not null,
  regulatory_basis text,
  note text,
  organisation_id text,
  status text not null check (status in ('active', 'inactive')),
  -- Without a patient and written by an ADMIN: only such a record decides for everybody.
  is_domain_policy boolean not null check (not is_domain_policy or patient_id is null),
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revoked_at timestamptz,
  check (period_end >= period_start),
  check (patient_id is not null or scope_context <> 'patient'),
  check ((status = 'inactive') = (revoked_at is not null))
);

create index records_by_patient on consent.records (patient_id, created_at, id) where patient_id is not null;
create index records_by_organisation on consent.records (organisation_id, created_at, id)
  where organisation_id is not null;
create index records_domain_policies on consent.records (actor_reference) where is_domain_policy;
create index records_by_status on consent.records (status);

create table consent.id_blocks (
  name text primary key,
  next_id bigint not null
);

insert into consent.id_blocks (name, next_id) values ('records', 1);
