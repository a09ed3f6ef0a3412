-- What was given up, or waits for a receiver that is away, is shown the newest first: a page of it is found in the index
-- alone, also when a receiver was away for days and a million wait.
drop index bridge.deliveries_open;
create index deliveries_open on bridge.deliveries (subscription_id, status, created_at desc, id)
  where status in ('waiting', 'dead');

-- How many were sent again together: they are few, and the log is long.
create index deliveries_resent on bridge.deliveries (subscription_id, resent_at) where resent_at is not null;
