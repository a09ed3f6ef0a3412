-- The rows of one queue and key that are worked on many at a time, in their order, by one copy after the other: who has
-- the line in hand until when, and how far it was done. Whoever adds to it begins to look for its last row there, and
-- not among the remains of all that were removed since the last vacuum. Writers only read this row.

create table kit.lines (
  shard smallint not null,
  queue text not null,
  key text not null,
  lease uuid,
  lease_ends timestamptz,
  position bigint not null,
  primary key (shard, queue, key)
);
