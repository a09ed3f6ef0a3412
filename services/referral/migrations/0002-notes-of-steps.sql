-- What the receiving facility wrote with a step of its work. A task has room for the last note only.
alter table referral.events add column note text;
