-- The browser has another name after each login of anybody. What is tried there at an account goes on being counted under this.
alter table auth.known_browsers add column counted_as uuid not null default gen_random_uuid();
