-- What an event adds to the money that banks keep until a dispute is decided.
alter table payment_audit add column disputed_minor integer not null default 0;
