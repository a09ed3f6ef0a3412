-- Code systems, value sets and concept maps that an operator loaded beside those that come with Corridor; see
-- terminology/README.md. One loaded under the address of one that comes with it stands in its place.

create table fhir.terminology_resources (
  url text collate "C" primary key,
  type text not null check (type in ('CodeSystem', 'ValueSet', 'ConceptMap')),
  name text not null,
  version text,
  -- False for a code system of which only a part was loaded: a code that it lacks may be a good one.
  complete boolean not null,
  -- What a value set is made of, in JSON (terminology/content.ts); the others have rows below.
  content text,
  loaded_at timestamptz not null
);

create table fhir.terminology_concepts (
  system text collate "C" not null,
  code text collate "C" not null,
  display text,
  parent text collate "C",
  -- The order in which they were given.
  seq integer not null,
  primary key (system, code)
);

-- One row a target of a concept.
create table fhir.terminology_mappings (
  map text collate "C" not null,
  source_system text collate "C" not null,
  source_code text collate "C" not null,
  target_system text collate "C" not null,
  target_code text collate "C" not null,
  target_display text,
  equivalence text not null,
  primary key (map, source_system, source_code, target_system, target_code)
);
create index terminology_mappings_by_source on fhir.terminology_mappings (source_system, source_code);
create index terminology_mappings_by_target on fhir.terminology_mappings (target_system, target_code);
