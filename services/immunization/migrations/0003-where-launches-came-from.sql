-- Launches are counted by the address that they came from: anybody may begin one, and each is kept for ten minutes. A
-- digest of the address; null of those from before.
alter table immunization.launches add column address_hash text;
create index launches_by_address on immunization.launches (address_hash, expires_at);
