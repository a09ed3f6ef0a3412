-- Who had a message run again, by the attempt that began with it. The attempt itself is in bridge.attempts when it has ended.
create table bridge.retries (
  transaction_id text collate "C" not null,
  attempt integer not null,
  asked_at timestamptz not null,
  asked_by text not null,
  primary key (transaction_id, attempt)
);

-- Who had a delivery sent again last.
alter table bridge.deliveries add column resent_at timestamptz;
alter table bridge.deliveries add column resent_by text;
