-- Most times are a day or less: what ends after an hour began at most a day before it. Only for the few that last longer
-- one has to look further, and these indexes hold nothing else (search/sql/times.ts).
create index dates_that_last_by_beginning on fhir.dates (param, low) where high > low + 86400000;
create index dates_that_last_by_end on fhir.dates (param, high) where high > low + 86400000;

-- How frequent a code is depends on its parameter: "active" is that of nearly every patient, and of few among all rows. The
-- planner took the one for independent of the other, believed that next to nobody is active, collected everybody and sorted.
create statistics fhir.codes_of_parameters (mcv) on param, code from fhir.tokens;
create statistics fhir.targets_of_parameters (mcv) on param, target from fhir.reference_values;
