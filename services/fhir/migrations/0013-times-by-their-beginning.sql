-- The oldest first, and what began before a day: dates_lookup begins with the end of a time, and would be read from end to end.
create index dates_by_beginning on fhir.dates (param, low);
