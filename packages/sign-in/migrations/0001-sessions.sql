-- Who is signed in at the pages of the services. Cookies and states are kept as digests; verifiers and tokens are sealed
-- with keys that follow from them, so that these rows alone open nothing. Times are the application's.

create table sign_in.attempts (
  state_hash text primary key,
  -- The browser that began it: nobody else can finish it.
  browser_hash text not null,
  service text not null,
  sealed_verifier text not null,
  nonce text not null,
  -- The page to go to afterwards, a path of the same service.
  return_to text not null,
  expires_at timestamptz not null
);

create index attempts_by_end on sign_in.attempts (expires_at);

create table sign_in.sessions (
  session_hash text primary key,
  service text not null,
  subject text not null,
  display_name text not null,
  sealed_tokens text not null,
  access_expires_at timestamptz not null,
  -- Grows with every refresh: whoever refreshes says which tokens they mean.
  token_version integer not null,
  -- While it lies ahead, one request of one copy is refreshing, or a refresh has just failed.
  refreshing_until timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);

create index sessions_by_subject on sign_in.sessions (subject);
create index sessions_by_end on sign_in.sessions (expires_at);
