-- What a code, a refresh and a service token make PostgreSQL write besides their rows (decision 0845).

-- A code and a refresh token are changed once, a grant at every refresh, and only where no index looks. With room for the
-- new version on the same page no index is written.
alter table auth.codes set (fillfactor = 60);
alter table auth.refresh_tokens set (fillfactor = 60);
alter table auth.grants set (fillfactor = 75);

-- For every row these looked up, and locked, what the statement that writes it has just read itself: a code becomes a
-- grant only where its user is found, a token is written from its grant's row. No user is ever deleted, and a grant is
-- swept together with its tokens.
alter table auth.grants drop constraint grants_user_id_fkey;
alter table auth.refresh_tokens drop constraint refresh_tokens_grant_id_fkey;

-- The table only grows, in the order of time: for a look at a span of time the summaries of its pages do.
drop index auth.audit_events_by_time;
create index audit_events_by_time on auth.audit_events using brin (at);
