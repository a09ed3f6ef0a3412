-- A sample of the tokens is mostly statuses and categories, so the planner believed in a few thousand codes where there
-- are hundreds of thousands, took a search for one identifier for an expensive one, and planned it anew each time: at a
-- million resources that was most of what the search cost.
alter table fhir.tokens alter column code set (n_distinct = -0.05);
