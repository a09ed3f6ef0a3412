-- The first bytes of what came to a channel and was no message, for whoever has to find out what its sender does. They may
-- be part of a message, and are as confidential as one.
create table bridge.framing_errors (
  id uuid primary key,
  channel_id text not null,
  at timestamptz not null,
  -- noise, resync, oversize, cut
  kind text not null,
  peer text not null,
  length bigint not null,
  head bytea not null
);

create index framing_errors_by_channel on bridge.framing_errors (channel_id, at);
