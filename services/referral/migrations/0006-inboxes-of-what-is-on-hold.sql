-- What is on hold stands in the inbox of its facility, too. Few are: each index reads the table once and keeps little.
create index referrals_held on referral.referrals (performer_id, priority, created_at, id) where status = 'ONHOLD';
create index referrals_facility_held on referral.referrals (receiving_facility_client_id, priority, created_at, id)
  where status = 'ONHOLD';
