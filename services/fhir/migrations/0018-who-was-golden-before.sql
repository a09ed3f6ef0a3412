-- An ordinary Patient that others referred to until somebody confirmed that it is of the same person as another one. What
-- it says of consent holds for that person, so whoever asks for their golden record is told of it.
alter table fhir.index_people add column was_golden boolean not null default false;
create index index_people_that_were_golden on fhir.index_people (golden_id) where was_golden;
