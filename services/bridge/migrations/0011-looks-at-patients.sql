-- Whose summary, or whose cards, somebody looked at: no message tells it. Null where a message does, or nobody is meant.
alter table bridge.looks add column patient text collate "C";

create index looks_by_patient on bridge.looks (patient, looked_at) where patient is not null;
