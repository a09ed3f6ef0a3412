-- The record and what it is found by; store/README.md says how the tables are used. Keys are 64 bits of a SHA-256 made
-- by the application: no sequences, every row of a resource lies with its key, and every primary key begins with it.

-- One row a resource that is or was there: which version is current. Small, because every update writes it anew.
create table fhir.resources (
  -- Of `Type/id`. Two resources with the same key are refused, never mixed: type and id are compared on every write.
  key bigint primary key,
  type text collate "C" not null,
  id text collate "C" not null,
  version integer not null check (version > 0),
  last_updated timestamptz not null,
  deleted boolean not null,
  -- One hash a kind of index rows, in the order of store/index-kinds.ts: rows are rewritten only where it changed.
  index_hashes bigint[] not null
);
create index resources_by_time on fhir.resources (type, last_updated, key) where not deleted;

-- Every version of every resource, the current one too. Written once and never changed.
create table fhir.versions (
  key bigint not null,
  version integer not null,
  type text collate "C" not null,
  id text collate "C" not null,
  last_updated timestamptz not null,
  method text not null check (method in ('POST', 'PUT', 'PATCH', 'DELETE')),
  -- The patients in whose compartment this version is, as keys: a scope holds for each version by itself.
  patients bigint[] not null,
  -- The resource as it is sent; none where this version says that it was deleted. Text and not jsonb: decimals and the
  -- order of elements stay as they were given, and neither side has to parse it.
  content text,
  primary key (key, version)
);
create index versions_by_time on fhir.versions (type, last_updated, key, version);

-- Which patients' compartments a current resource is in; kept when it is deleted, so that its history stays findable.
create table fhir.compartments (
  key bigint not null,
  -- The key of the Patient.
  patient bigint not null,
  primary key (key, patient)
);
create index compartments_by_patient on fhir.compartments (patient, key);

-- The search index of current resources, one table a kind of value. `param` is a hash of type and parameter code
-- (store/keys.ts), `seq` counts the values of one parameter. The rows of a deleted resource are gone.

create table fhir.tokens (
  key bigint not null,
  param integer not null,
  seq integer not null,
  -- Of the system's address; 0 where the value has none.
  system bigint not null,
  -- None for a concept that is only text.
  code text collate "C",
  -- What `:text` looks at, folded.
  text text collate "C",
  primary key (key, param, seq)
);
create index tokens_lookup on fhir.tokens (param, code, system);

create table fhir.strings (
  key bigint not null,
  param integer not null,
  seq integer not null,
  -- Without case and accents, cut to 500 characters.
  folded text collate "C" not null,
  -- As given, for `:exact`.
  text text collate "C" not null,
  primary key (key, param, seq)
);
create index strings_lookup on fhir.strings (param, folded);

create table fhir.dates (
  key bigint not null,
  param integer not null,
  seq integer not null,
  -- Milliseconds since 1970 UTC, [low, high); the ends of bigint where a period is open.
  low bigint not null,
  high bigint not null,
  primary key (key, param, seq)
);
-- The end first: "from then on" is what is asked most, and a period counts as long as it has not ended.
create index dates_lookup on fhir.dates (param, high, low);

create table fhir.reference_values (
  key bigint not null,
  param integer not null,
  seq integer not null,
  -- The key of the resource that is meant, or the hash of an address that is not on this server.
  target bigint not null,
  primary key (key, param, seq)
);
create index reference_values_lookup on fhir.reference_values (param, target);

create table fhir.quantities (
  key bigint not null,
  param integer not null,
  seq integer not null,
  -- As given; none for a range or a value with a comparator.
  value double precision,
  low double precision not null,
  high double precision not null,
  system bigint not null,
  code text collate "C",
  unit text collate "C",
  primary key (key, param, seq)
);
create index quantities_lookup on fhir.quantities (param, high, low);

create table fhir.uris (
  key bigint not null,
  param integer not null,
  seq integer not null,
  uri text collate "C" not null,
  primary key (key, param, seq)
);
create index uris_lookup on fhir.uris (param, uri);

-- One row a combination. Which columns a component fills goes by its kind: token system_n and text_n (the code), string
-- text_n (folded), uri text_n, reference system_n (the target), date, number and quantity low_n and high_n, quantity
-- system_n and text_n (the unit's code) as well.
create table fhir.composites (
  key bigint not null,
  param integer not null,
  seq integer not null,
  system_1 bigint,
  text_1 text collate "C",
  low_1 double precision,
  high_1 double precision,
  system_2 bigint,
  text_2 text collate "C",
  low_2 double precision,
  high_2 double precision,
  system_3 bigint,
  text_3 text collate "C",
  low_3 double precision,
  high_3 double precision,
  primary key (key, param, seq)
);
create index composites_lookup on fhir.composites (param, text_1, system_1);

-- Whoever may have to create a resource because none matches holds the row of the criteria until the end of its
-- transaction; so of many at once one creates and the others find. Rows may be removed at any time after that.
create table fhir.claims (
  claim bigint primary key,
  claimed_at timestamptz not null
);
