-- Whom `corridor users disable` or `corridor clients disable` shut out stays out, also where the configuration still
-- declares them: a start brings nobody back (decision 1024).
alter table auth.users add column disabled_by_command boolean not null default false;
alter table auth.clients add column disabled_by_command boolean not null default false;
