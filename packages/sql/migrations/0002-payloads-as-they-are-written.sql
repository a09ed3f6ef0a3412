-- A payload is written once, read whole a few times and removed: nobody asks what stands in it. As json it is kept as
-- it was sent; to take a jsonb apart and to put it together again was a third of what a message in the outbox cost.
alter table kit.outbox alter column payload type json;
alter table kit.jobs alter column payload type json;
