-- What the app remembers between two requests of a browser. Cookies and states are kept as digests; verifiers and tokens
-- are sealed with keys that follow from them, so that these rows alone open nothing. Times are the application's.

create table immunization.launches (
  state_hash text primary key,
  -- The browser that began it: nobody else can finish it.
  browser_hash text not null,
  issuer text not null,
  sealed_verifier text not null,
  nonce text not null,
  expires_at timestamptz not null
);

create index launches_by_end on immunization.launches (expires_at);

create table immunization.sessions (
  session_hash text primary key,
  issuer text not null,
  patient_id text not null,
  -- Who launched the app, as the identity token names them.
  subject text,
  fhir_user text,
  clinician_name text,
  need_patient_banner boolean not null,
  scope text not null,
  sealed_tokens text not null,
  access_expires_at timestamptz not null,
  -- Grows with every refresh: whoever refreshes says which tokens they mean.
  token_version integer not null default 1,
  -- While it lies ahead, one request of one copy is refreshing, or a refresh has just failed.
  refreshing_until timestamptz,
  -- The launch that began this session ended one of another patient in the same browser.
  replaced_other_patient boolean not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);

create index sessions_by_end on immunization.sessions (expires_at);

-- A printed certificate can be traced to whom it was made for, when and by whom; not to what it says.
create table immunization.certificates (
  uvci text primary key,
  patient_id text not null,
  subject text,
  issued_at timestamptz not null
);
