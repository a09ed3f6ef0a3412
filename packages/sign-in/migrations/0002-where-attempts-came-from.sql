-- Attempts are counted by the address that they came from: anybody may begin one, and each is kept for ten minutes. A
-- digest of the address; null of those from before.
alter table sign_in.attempts add column address_hash text;
create index attempts_by_address on sign_in.attempts (address_hash, expires_at);
