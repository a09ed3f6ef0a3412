-- The sweep looks every ten minutes for launches that ended a month ago; without it, it read all of them each time.
create index launches_by_end on auth.launches (expires_at);
