-- How many deliveries of a subscription the log has that arrived or were left out: written with what they count, because
-- whoever looks at subscriptions would read thirty days of the log otherwise. Spread over some rows; their sum counts.
create table bridge.delivery_counts (
  subscription_id text not null,
  shard smallint not null,
  delivered bigint not null,
  skipped bigint not null,
  -- Also of one that is no longer in the log.
  last_delivered_at timestamptz,
  primary key (subscription_id, shard)
) with (fillfactor = 70);

insert into bridge.delivery_counts (subscription_id, shard, delivered, skipped, last_delivered_at)
select subscription_id, 0, count(*) filter (where status = 'delivered'), count(*) filter (where status = 'skipped'),
  max(settled_at) filter (where status = 'delivered')
from bridge.deliveries where status in ('delivered', 'skipped') group by subscription_id;

-- The others are few, and counted as they are.
drop index bridge.deliveries_open;
create index deliveries_open on bridge.deliveries (subscription_id, status) where status in ('waiting', 'dead');
