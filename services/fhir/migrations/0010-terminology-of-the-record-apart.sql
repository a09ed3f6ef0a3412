-- What was written to the record as a CodeSystem, ValueSet or ConceptMap is kept apart from what an operator loaded, one
-- row a resource: neither takes the other's place, and two resources of one address (its versions) do not take each
-- other's. It goes when its resource does.
create table fhir.recorded_terminology (
  part bigint generated always as identity primary key,
  type text not null check (type in ('CodeSystem', 'ValueSet', 'ConceptMap')),
  resource_id text collate "C" not null,
  url text collate "C" not null,
  version text,
  name text not null,
  -- As in terminology_resources.
  complete boolean not null,
  content text,
  written_at timestamptz not null,
  unique (type, resource_id)
);
create index recorded_terminology_by_url on fhir.recorded_terminology (url, type);

create table fhir.recorded_concepts (
  part bigint not null references fhir.recorded_terminology on delete cascade,
  code text collate "C" not null,
  display text,
  parent text collate "C",
  seq integer not null,
  primary key (part, code)
);

create table fhir.recorded_mappings (
  part bigint not null references fhir.recorded_terminology on delete cascade,
  source_system text collate "C" not null,
  source_code text collate "C" not null,
  target_system text collate "C" not null,
  target_code text collate "C" not null,
  target_display text,
  equivalence text not null,
  primary key (part, source_system, source_code, target_system, target_code)
);
create index recorded_mappings_by_source on fhir.recorded_mappings (source_system, source_code);
create index recorded_mappings_by_target on fhir.recorded_mappings (target_system, target_code);

-- What the record had brought in until now. Where it had taken the place of something that was loaded, that has to be
-- loaded again: nobody can tell the two apart any more.
insert into fhir.recorded_terminology (type, resource_id, url, version, name, complete, content, written_at)
select type, resource_id, url, version, name, complete, content, loaded_at
from fhir.terminology_resources where resource_id is not null;

insert into fhir.recorded_concepts (part, code, display, parent, seq)
select r.part, c.code, c.display, c.parent, c.seq
from fhir.recorded_terminology as r join fhir.terminology_concepts as c on c.system = r.url
where r.type = 'CodeSystem';

insert into fhir.recorded_mappings
  (part, source_system, source_code, target_system, target_code, target_display, equivalence)
select r.part, m.source_system, m.source_code, m.target_system, m.target_code, m.target_display, m.equivalence
from fhir.recorded_terminology as r join fhir.terminology_mappings as m on m.map = r.url
where r.type = 'ConceptMap';

delete from fhir.terminology_concepts
where system in (select url from fhir.recorded_terminology where type = 'CodeSystem');
delete from fhir.terminology_mappings
where map in (select url from fhir.recorded_terminology where type = 'ConceptMap');
delete from fhir.terminology_resources where resource_id is not null;

-- A code system and a value set may have the same address. The column resource_id is empty from now on; it stays for
-- copies of the older version.
alter table fhir.terminology_resources drop constraint terminology_resources_pkey;
alter table fhir.terminology_resources add primary key (url, type);
