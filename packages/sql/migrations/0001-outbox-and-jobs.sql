-- Work that must survive the copy that took it on. Both tables have one shape, so one piece of code claims from both:
-- kit.outbox holds what must be told to others, written in the transaction of the change it tells about;
-- kit.jobs holds what must be done.
--
-- shard comes first in every key, so that a distributed engine can spread the table and a worker can claim one shard.
-- position keeps the order of the rows with the same queue and key; ids are made by the application (no sequence).
-- waits marks a row behind another one of its key. It keeps a long line of them out of the index that workers look at:
-- without it every look at 20,000 rows of one key took half a second.

create table kit.outbox (
  shard smallint not null,
  id uuid not null,
  queue text not null,
  key text,
  position bigint not null,
  waits boolean not null,
  payload jsonb not null,
  attempts integer not null default 0,
  next_at timestamptz not null,
  lease uuid,
  created_at timestamptz not null,
  dead_at timestamptz,
  last_error text,
  primary key (shard, id)
);

create index outbox_due on kit.outbox (queue, next_at) where dead_at is null and not waits;
create index outbox_order on kit.outbox (shard, queue, key, position, id) where key is not null and dead_at is null;
create index outbox_waiting on kit.outbox (shard, queue, key) where dead_at is null and waits;
create index outbox_dead on kit.outbox (queue, dead_at) where dead_at is not null;

create table kit.jobs (
  shard smallint not null,
  id uuid not null,
  queue text not null,
  key text,
  position bigint not null,
  waits boolean not null,
  payload jsonb not null,
  attempts integer not null default 0,
  next_at timestamptz not null,
  lease uuid,
  created_at timestamptz not null,
  dead_at timestamptz,
  last_error text,
  primary key (shard, id)
);

create index jobs_due on kit.jobs (queue, next_at) where dead_at is null and not waits;
create index jobs_order on kit.jobs (shard, queue, key, position, id) where key is not null and dead_at is null;
create index jobs_waiting on kit.jobs (shard, queue, key) where dead_at is null and waits;
create index jobs_dead on kit.jobs (queue, dead_at) where dead_at is not null;
