-- Batches of failed messages that an operator has sent through once more. How far one is follows from its messages.
create table bridge.retry_runs (
  id uuid primary key,
  started_at timestamptz not null,
  started_by text not null,
  -- Which messages were meant; null: whatever it was.
  error_code text,
  facility_code text,
  -- How many there were, and those that were taken.
  matched integer not null,
  transaction_ids text[] collate "C" not null
);
