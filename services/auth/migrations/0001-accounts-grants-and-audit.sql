-- Everything that the authorization server remembers. What lets somebody in (codes, launch tokens, sessions, refresh
-- tokens, client secrets) is kept as a digest only; passwords as argon2id. Times are given by the application's clock.

create table auth.users (
  id uuid primary key,
  username text not null unique check (username = lower(username)),
  -- The FHIR id of the person: the `sub` of every token, so two people may never share one.
  subject text not null unique,
  fhir_user text not null,
  display_name text not null,
  roles text[] not null,
  organisation text,
  password_hash text not null,
  totp_secret text,
  -- The last time step whose code was taken: a code is good once.
  totp_last_step bigint not null default 0,
  source text not null check (source in ('configuration', 'demo', 'command')),
  status text not null check (status in ('active', 'disabled')),
  password_changed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table auth.clients (
  client_id text primary key,
  client_name text not null,
  redirect_uris text[] not null,
  launch_uri text,
  grant_types text[] not null,
  auth_methods text[] not null,
  secret_hash text,
  retiring_secret_hash text,
  retiring_until timestamptz,
  jwks jsonb,
  jwks_uri text,
  scope text not null,
  roles text[] not null,
  organisation text,
  is_first_party boolean not null,
  allowed_origins text[] not null,
  requires_consent boolean not null,
  patient_picker text not null check (patient_picker in ('auto', 'never')),
  access_token_seconds integer,
  refresh_token_seconds integer,
  contacts text[] not null,
  logo_uri text,
  policy_uri text,
  tos_uri text,
  source text not null check (source in ('configuration', 'demo', 'command')),
  status text not null check (status in ('active', 'disabled')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index clients_by_origin on auth.clients using gin (allowed_origins);

create table auth.sessions (
  session_hash text primary key,
  user_id uuid not null references auth.users (id),
  -- When the user last proved who they are; the `auth_time` of identity tokens.
  signed_in_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);

create index sessions_by_user on auth.sessions (user_id) where ended_at is null;
create index sessions_by_end on auth.sessions (expires_at);

-- A request that waits for the user: for a login, the choice of a patient or consent.
create table auth.authorization_requests (
  request_hash text primary key,
  parameters jsonb not null,
  -- The session that took it up; no other one may go on with it.
  session_hash text,
  picked_patient text,
  has_picked boolean not null default false,
  consented_scope text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index authorization_requests_by_end on auth.authorization_requests (expires_at);

create table auth.launches (
  launch_hash text primary key,
  user_id uuid not null references auth.users (id),
  -- The app that it was made for; null when the configured SMART client is not registered here.
  client_id text,
  patient text not null,
  encounter text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index launches_by_user on auth.launches (user_id, created_at desc);

create table auth.codes (
  code_hash text primary key,
  grant_id uuid not null,
  client_id text not null,
  user_id uuid not null,
  session_hash text not null,
  redirect_uri text not null,
  code_challenge text not null,
  scope text not null,
  patient text,
  encounter text,
  nonce text,
  signed_in_at timestamptz not null,
  session_expires_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index codes_by_end on auth.codes (expires_at);

-- What a user has granted to an app: the family of all tokens that come from one code.
create table auth.grants (
  id uuid primary key,
  client_id text not null,
  user_id uuid not null references auth.users (id),
  session_hash text not null,
  is_offline boolean not null,
  scope text not null,
  patient text,
  encounter text,
  signed_in_at timestamptz not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create index grants_by_user on auth.grants (user_id) where revoked_at is null;
create index grants_by_session on auth.grants (session_hash) where revoked_at is null;
create index grants_by_client on auth.grants (client_id) where revoked_at is null;
create index grants_by_end on auth.grants (expires_at);

create table auth.refresh_tokens (
  token_hash text primary key,
  grant_id uuid not null references auth.grants (id) on delete cascade,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index refresh_tokens_by_grant on auth.refresh_tokens (grant_id);

-- The deny list of access tokens: each row lives as long as the last token that it can concern.
create table auth.revocations (
  kind text not null check (kind in ('grant', 'token')),
  id text not null,
  revoked_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (kind, id)
);

create index revocations_by_end on auth.revocations (expires_at);

create table auth.client_assertions (
  client_id text not null,
  jti_hash text not null,
  expires_at timestamptz not null,
  primary key (client_id, jti_hash)
);

create index client_assertions_by_end on auth.client_assertions (expires_at);

create table auth.failures (
  key_hash text primary key,
  failures integer not null,
  started_at timestamptz not null,
  last_at timestamptz not null,
  blocked_until timestamptz
);

create index failures_by_last on auth.failures (last_at);

-- Append only: no statement of the service updates or deletes a row. No names, no tokens; ids only.
create table auth.audit_events (
  id uuid primary key,
  at timestamptz not null,
  event text not null,
  outcome text not null check (outcome in ('success', 'failure')),
  username text,
  subject text,
  client_id text,
  grant_id uuid,
  patient text,
  peer text,
  request_id text,
  reason text
);

create index audit_events_by_time on auth.audit_events (at);
