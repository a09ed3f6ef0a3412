-- A payload lives for a second or two: to compress it and to unpack it again costs more than the few blocks it would save.
alter table kit.outbox alter column payload set storage external;
alter table kit.jobs alter column payload set storage external;
