-- Beside a key that is made of names alone: the full birth date, where it is known. Common names bring many records, and
-- most of them were born on wholly another day, which is told without reading them.
alter table fhir.index_keys add column born text collate "C";
