-- With which browsers who has signed in before. Strangers can make an account wait, again and again; its own people, at a
-- browser that is theirs, are counted by themselves (decision 1211).
create table auth.known_browsers (
  browser_hash text not null,
  user_id uuid not null references auth.users (id),
  seen_at timestamptz not null,
  primary key (browser_hash, user_id)
);

create index known_browsers_of_users on auth.known_browsers (user_id, seen_at);
create index known_browsers_by_time on auth.known_browsers (seen_at);
