-- Code systems, value sets and concept maps that an operator loaded beside those that come with Corridor; see
-- terminology/README.md. One loaded under the address of one that comes with it stands in its place.

create table fhir.terminology_resources (
  url text collate "C" primary key,
  type text not null check (type in ('CodeSystem', 'ValueSet', 'ConceptMap')),
  version text,
  name text,
  -- Everything but the concepts.
  content text not null,
  loaded_at timestamptz not null
);
create index terminology_resources_by_type on fhir.terminology_resources (type, url);

-- The concepts of a loaded code system, or of a loaded value set that names them one by one.
create table fhir.terminology_concepts (
  -- The address of what was loaded.
  url text collate "C" not null,
  system text collate "C" not null,
  code text collate "C" not null,
  display text,
  seq integer not null,
  primary key (url, system, code)
);

-- One row a target of a loaded concept map.
create table fhir.terminology_mappings (
  url text collate "C" not null,
  -- Empty where the map does not say.
  source_system text collate "C" not null,
  source_code text collate "C" not null,
  target_system text collate "C" not null,
  target_code text collate "C" not null,
  target_display text,
  equivalence text not null,
  primary key (url, source_system, source_code, target_system, target_code)
);
create index terminology_mappings_by_source on fhir.terminology_mappings (source_code, source_system);
create index terminology_mappings_by_target on fhir.terminology_mappings (target_code, target_system);
