-- Counts the steps of a task, so that a step can be meant for what was seen of it. Not whether its time has passed: who
-- accepts it late still accepts what they saw.
alter table referral.tasks add column version bigint not null default 1;
