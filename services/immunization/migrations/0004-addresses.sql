-- Every public address that the app has had. A health card names the one of its day as its issuer, and is checked for years.
create table immunization.addresses (
  address text primary key,
  used_from timestamptz not null
);
