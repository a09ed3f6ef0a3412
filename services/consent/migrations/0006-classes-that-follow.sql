-- Whether nobody chose the types of a record: they are those that its scopes name, and change with them. Of the records that
-- are there nobody can tell any more, so their types stay.
alter table consent.records add column classes_follow boolean not null default false;
