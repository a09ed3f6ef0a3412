-- The log can be read by kind. Looks and changes are few among millions of decisions; without an index of their own a page
-- of them would read the trail to its beginning. Decisions are in neither, and cost nothing more to write.

create index audit_events_looks on consent.audit_events (at, chain, position) where outcome = 'SHOWN';
create index audit_events_changes on consent.audit_events (at, chain, position)
  where outcome in ('CREATED', 'CHANGED', 'REVOKED', 'MOVED');
