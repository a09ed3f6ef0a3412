-- Nothing is ever looked for by these columns, so the planner has no use for how their values spread. Taking a sample of
-- them was half of what ANALYZE costs, and a growing record is analysed again and again beside its writers.
alter table fhir.versions
  alter column method set statistics 0,
  alter column content set statistics 0;
alter table fhir.resources
  alter column index_hashes set statistics 0;
