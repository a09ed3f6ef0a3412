-- Who says at this moment what a code means. Nobody else may until then; whoever died over it is waited for no longer.
alter table bridge.unmapped_codes add column claimed_by uuid;
alter table bridge.unmapped_codes add column claimed_until timestamptz;
