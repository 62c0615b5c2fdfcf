-- What the gateway charged for a dispute by the event; below zero where it gave that back.
alter table payment_audit add column fee_minor integer not null default 0;
