-- What failed, by cause and facility, the oldest first: two years of it are counted, and retried, without their rows.
create index transactions_failed on bridge.transactions (error_code, facility_code, id) where status = 'ERROR';

-- A code is mapped for all of its senders at once, and the claim on it is found by who holds it.
create index unmapped_codes_by_code on bridge.unmapped_codes (target, system, code);
create index unmapped_codes_claimed on bridge.unmapped_codes (claimed_by) where claimed_by is not null;
