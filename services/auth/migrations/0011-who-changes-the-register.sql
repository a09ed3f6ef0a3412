-- A row that whoever adds people or clients holds until the end of its transaction. Those who are being added have no row to
-- hold yet, and the statement that locks a table is none of every server that speaks PostgreSQL.
create table auth.register (
  one boolean primary key check (one)
);

insert into auth.register (one) values (true);
