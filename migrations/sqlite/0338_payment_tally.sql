-- What payment events add up to in each year, month, day and hour: `span` is how many characters of an instant name it.
create table payment_tally (
  span integer not null,
  bucket text not null,
  kind text not null,
  currency text not null,
  events integer not null,
  captured_minor integer not null,
  refunded_minor integer not null,
  pending_minor integer not null,
  disputed_minor integer not null,
  primary key (span, bucket, kind, currency)
) strict, without rowid;
-- A page is read along one of these, newest first, whatever it is filtered by.
drop index payment_audit_currency;
create index payment_audit_time on payment_audit (recorded_at, position);
create index payment_audit_kind on payment_audit (kind, recorded_at, position);
create index payment_audit_currency on payment_audit (currency, recorded_at, position);
create index payment_audit_kind_currency on payment_audit (kind, currency, recorded_at, position);
