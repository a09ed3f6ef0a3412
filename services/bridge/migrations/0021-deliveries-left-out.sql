-- What was left out is little beside what has arrived, and often none: without its own index a page of it was looked for in
-- all that a subscription has ever sent.
create index deliveries_skipped on bridge.deliveries (subscription_id, created_at desc, id) where status = 'skipped';
