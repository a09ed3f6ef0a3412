-- Whether its user has signed in for this very request. Not told by times: copies of the server have clocks of their own
-- (decision 1229).
alter table auth.authorization_requests add column is_signed_in_for boolean not null default false;
-- Whose record was agreed to; no other is given on that.
alter table auth.authorization_requests add column consented_patient text;
