-- A batch is a job: its messages are written down when it is asked for, and each of them has its turn, also after a restart.
create table bridge.retry_run_messages (
  run_id uuid not null references bridge.retry_runs (id) on delete cascade,
  transaction_id text collate "C" not null,
  -- Null: its turn has not come. False: it was left alone, because somebody was quicker or its bytes are gone.
  is_taken boolean,
  primary key (run_id, transaction_id)
);

insert into bridge.retry_run_messages (run_id, transaction_id, is_taken)
select r.id, m.id, true from bridge.retry_runs r cross join lateral unnest(r.transaction_ids) as m (id)
on conflict do nothing;

alter table bridge.retry_runs drop column transaction_ids;
alter table bridge.retry_runs add column stopped_at timestamptz;
alter table bridge.retry_runs add column stopped_by text;
