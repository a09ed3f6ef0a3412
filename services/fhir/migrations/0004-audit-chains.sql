-- AuditEvents are resources like any other, so that they can be searched. These tables make it show when one of them is
-- removed or altered: audit/README.md says how.

-- One chain a writer, that is, a running copy of the store. Its row is what the next link is made from.
create table fhir.audit_chains (
  chain uuid primary key,
  started_at timestamptz not null,
  -- The chain that was begun last before this one: a chain that is removed is missed by the next.
  predecessor uuid,
  length bigint not null,
  -- The hash of the last link, or of the beginning.
  head bytea not null
);

create table fhir.audit_links (
  chain uuid not null,
  position bigint not null check (position > 0),
  event_id text collate "C" not null,
  -- Over the hash before it, the position, the event's id and its content.
  hash bytea not null,
  primary key (chain, position)
);
