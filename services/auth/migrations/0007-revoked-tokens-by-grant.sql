-- The grant of a single token that was revoked: how many of one grant are on the deny list is bounded (decision 1025).
alter table auth.revocations add column grant_id text;
create index revocations_of_tokens on auth.revocations (grant_id, expires_at) where grant_id is not null;
