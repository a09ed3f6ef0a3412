-- A look at a list is one row: it names whose list it was, and no referral; an inbox names no patient either.
alter table referral.audit_events alter column referral_id drop not null;
alter table referral.audit_events alter column patient_id drop not null;
alter table referral.audit_events add column list text;
