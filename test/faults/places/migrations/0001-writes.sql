-- What the killed writer writes: single rows through the batcher, and transactions of three rows over two tables.
create table faults.messages (
  id text primary key,
  raw text not null
);

create table faults.transactions (
  id text primary key,
  parts integer not null
);

create table faults.parts (
  transaction_id text not null,
  number integer not null,
  primary key (transaction_id, number)
);
