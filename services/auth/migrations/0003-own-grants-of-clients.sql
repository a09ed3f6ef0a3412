-- What a client has in its own name (client_credentials) is a grant without a row: its tokens carry this id, which is
-- put on the deny list and replaced when the client is disabled or loses its secret at once (decision 0946).
alter table auth.clients add column own_grant_id uuid not null default gen_random_uuid();
