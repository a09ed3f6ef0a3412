-- Who at the machine did it: the account of the operating system that ran a command, or the configuration of a start. Null
-- where people, apps and services did it themselves over the network (decision 1210).
alter table auth.audit_events add column operator text;
