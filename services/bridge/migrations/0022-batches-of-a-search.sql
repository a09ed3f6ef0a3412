-- A batch of what a search of the dead letters has found: the search, as the address of its page has it.
alter table bridge.retry_runs add column search text;
