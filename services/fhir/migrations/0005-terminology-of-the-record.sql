-- Terminology that was written to the record as a resource, rather than loaded: its id, by which it goes when the
-- resource does.
alter table fhir.terminology_resources add column resource_id text collate "C";
create unique index terminology_resources_by_id on fhir.terminology_resources (type, resource_id)
  where resource_id is not null;
