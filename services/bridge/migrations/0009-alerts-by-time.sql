-- For whoever looks at critical results: those that nobody has acknowledged, the longest waiting first, and the others,
-- the latest first. Alerts are few: one a critical result.
create index alerts_open on bridge.alerts (raised_at, id) where acknowledged_at is null;
create index alerts_acknowledged on bridge.alerts (acknowledged_at desc, id) where acknowledged_at is not null;
