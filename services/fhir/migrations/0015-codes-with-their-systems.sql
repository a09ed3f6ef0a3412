-- Who asks for a code usually names its system, and every row of a code has the same. Taken for one more thing that may or may not
-- hold, it made the planner believe in a quarter of the rows there are, and collect all of them instead of stopping at a page.
drop statistics fhir.codes_of_parameters;
create statistics fhir.codes_of_parameters (mcv) on param, code, system from fhir.tokens;
