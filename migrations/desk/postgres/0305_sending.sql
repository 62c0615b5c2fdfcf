-- Whether somebody is sending the message, until `due_ms` at the latest; otherwise it was put off until then.
alter table message add column sending bigint not null default 0;
