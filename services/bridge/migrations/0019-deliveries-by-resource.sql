-- Whoever sends a delivery again is told where a newer version of the same resource has gone out since: what an operator
-- chooses from a log of weeks must not read that log.
create index deliveries_by_resource on bridge.deliveries (resource, subscription_id);
