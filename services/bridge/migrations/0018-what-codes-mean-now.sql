-- Counts how often somebody has said what a code means. Each copy remembers answers of the terminology, and forgets them
-- when it hears of another number than before.
create table bridge.terms_version (
  id smallint primary key check (id = 1),
  version bigint not null
);
insert into bridge.terms_version (id, version) values (1, 0);
