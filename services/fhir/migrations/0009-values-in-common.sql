-- Values that many resources of a type have in common (store/shared-parameters.ts) are kept once, as a set: its rows lie in
-- the index tables under the set's own key, and each resource says which set it has. None: it has all its rows itself, as
-- everything that was written before this, and what copies of an older version still write.
alter table fhir.resources add column shared_key bigint;
create index resources_by_set on fhir.resources (shared_key) where shared_key is not null;
