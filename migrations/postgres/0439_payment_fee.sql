-- What the gateway charged for a dispute by the event; below zero where it gave that back.
alter table payment_audit add column fee_minor bigint not null default 0;
