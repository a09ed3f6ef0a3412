-- What the value sets that an operator loaded call their codes. A value set is no code system: what it names is asked for
-- last, where the code system is not here or only in part, and goes when the set is loaded without it (decision 1004).
create table fhir.terminology_set_codes (
  system text collate "C" not null,
  code text collate "C" not null,
  value_set text collate "C" not null,
  display text not null,
  primary key (system, code, value_set)
);
create index terminology_set_codes_by_set on fhir.terminology_set_codes (value_set);

-- Until now these stood among the codes of the code systems.
insert into fhir.terminology_set_codes (system, code, value_set, display)
select part ->> 'system', named ->> 0, set.url, named ->> 1
from fhir.terminology_resources as set
cross join jsonb_array_elements(set.content::jsonb -> 'include') as part
cross join jsonb_array_elements(part -> 'codes') as named
where set.type = 'ValueSet' and part ->> 'system' is not null and named ->> 1 is not null
on conflict do nothing;

-- From code systems that nothing but sets (or a table, which has no name either) brought in, they are taken out again.
-- Where they had changed one that was loaded by its name, that has to be loaded again: nobody can tell the two apart.
delete from fhir.terminology_concepts as concept
using fhir.terminology_resources as system
where system.type = 'CodeSystem' and system.url = concept.system
  and not system.complete and system.name = system.url and system.version is null
  and (concept.system, concept.code, concept.display) in (
    select named.system, named.code, named.display from fhir.terminology_set_codes as named);
-- Codes that a set named beside others without saying what they are called.
delete from fhir.terminology_concepts as concept
using fhir.terminology_resources as system
where system.type = 'CodeSystem' and system.url = concept.system
  and not system.complete and system.name = system.url and system.version is null and concept.display is null
  and (concept.system, concept.code) in (
    select part ->> 'system', named ->> 0
    from fhir.terminology_resources as set
    cross join jsonb_array_elements(set.content::jsonb -> 'include') as part
    cross join jsonb_array_elements(part -> 'codes') as named
    where set.type = 'ValueSet');
delete from fhir.terminology_resources as system
where type = 'CodeSystem' and not complete and name = url and version is null
  and exists (select from fhir.terminology_set_codes where terminology_set_codes.system = system.url)
  and not exists (select from fhir.terminology_concepts where terminology_concepts.system = system.url);
