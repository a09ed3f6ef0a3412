-- What operators do and see.

-- Every look at what a message says: who, when, at what. Rows are never changed.
create table bridge.looks (
  id uuid primary key,
  looked_at timestamptz not null,
  subject text not null,
  client_id text not null,
  transaction_id text collate "C" not null,
  -- raw, fhir, ack, search
  what text not null,
  request_id text not null
);

create index looks_by_transaction on bridge.looks (transaction_id, looked_at);
create index looks_by_subject on bridge.looks (subject, looked_at);

-- Codes of a sender that have no counterpart in the system in which the exchange wants them.
create table bridge.unmapped_codes (
  id uuid primary key,
  sending_application text not null,
  sending_facility text not null,
  target text not null,
  system text not null,
  code text not null,
  display text,
  -- Where it stood last: OBX-3
  path text not null,
  uses bigint not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- What it was mapped to, by whom; null while it is open.
  mapped_code text,
  mapped_display text,
  mapped_at timestamptz,
  mapped_by text,
  unique (sending_application, sending_facility, target, system, code)
);

create index unmapped_codes_open on bridge.unmapped_codes (last_seen_at) where mapped_at is null;

-- The messages that hold an unmapped code, to be run again when it is mapped.
create table bridge.unmapped_uses (
  unmapped_code_id uuid not null references bridge.unmapped_codes (id) on delete cascade,
  transaction_id text collate "C" not null,
  primary key (unmapped_code_id, transaction_id)
);

-- When an operator said that a dependency is well again, for the copies that did not hear it themselves.
create table bridge.breaker_resets (
  id smallint primary key check (id = 1),
  reset_at timestamptz not null,
  reset_by text not null
);
