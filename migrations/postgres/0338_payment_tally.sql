-- What payment events add up to in each year, month, day and hour: `span` is how many characters of an instant name it.
create table payment_tally (
  span bigint not null,
  bucket text collate "C" not null,
  kind text collate "C" not null,
  currency text collate "C" not null,
  events bigint not null,
  captured_minor bigint not null,
  refunded_minor bigint not null,
  pending_minor bigint not null,
  disputed_minor bigint not null,
  primary key (span, bucket, kind, currency)
);
-- A page is read along one of these, newest first, whatever it is filtered by.
drop index payment_audit_currency;
create index payment_audit_time on payment_audit (recorded_at, position);
create index payment_audit_kind on payment_audit (kind, recorded_at, position);
create index payment_audit_currency on payment_audit (currency, recorded_at, position);
create index payment_audit_kind_currency on payment_audit (kind, currency, recorded_at, position);
