-- What an event adds to the money that banks keep until a dispute is decided.
alter table payment_audit add column disputed_minor bigint not null default 0;
