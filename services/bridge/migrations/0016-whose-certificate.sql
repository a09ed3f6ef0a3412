-- Who the sender of a message that was refused at the door was by its certificate: the door asks again when the message is
-- run again. Messages that were let in need it no more.
alter table bridge.raw_messages add column certificate_name text;
