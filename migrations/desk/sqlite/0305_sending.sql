-- Whether somebody is sending the message, until `due_ms` at the latest; otherwise it was put off until then.
alter table message add column sending integer not null default 0;
