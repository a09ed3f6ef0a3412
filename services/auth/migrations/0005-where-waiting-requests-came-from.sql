-- Requests that wait for their user are counted by the address that they came from: anybody may begin one, and each is kept
-- for a quarter of an hour. A digest of the address; null of those from before.
alter table auth.authorization_requests add column address_hash text;
create index authorization_requests_by_address on auth.authorization_requests (address_hash, expires_at);
