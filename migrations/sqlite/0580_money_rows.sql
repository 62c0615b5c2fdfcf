-- What the gateway charged for a dispute is a row of its own beside the event's, so that list, sums and files are one.
drop table payment_audit;
create table payment_audit (
  position integer not null,
  -- 0 for the event itself, 1 for what the gateway charged by it.
  line integer not null,
  recorded_at text not null,
  kind text not null,
  -- A key of the catalogue `finance_detail`.
  detail text not null,
  payment_id text not null,
  reference text not null,
  lead_id text not null,
  root_id text not null,
  amount_minor integer not null,
  sign integer not null,
  currency text not null,
  gateway_id text,
  request_id text not null,
  causation_id text,
  -- What the row adds to the totals.
  captured_minor integer not null,
  refunded_minor integer not null,
  pending_minor integer not null,
  disputed_minor integer not null,
  fees_minor integer not null,
  primary key (position, line)
) strict, without rowid;
create index payment_audit_payment on payment_audit (payment_id, position);
create index payment_audit_gateway on payment_audit (gateway_id);
create index payment_audit_time on payment_audit (recorded_at, position, line);
create index payment_audit_kind on payment_audit (kind, recorded_at, position, line);
create index payment_audit_currency on payment_audit (currency, recorded_at, position, line);
create index payment_audit_kind_currency on payment_audit (kind, currency, recorded_at, position, line);
alter table payment_tally add column fees_minor integer not null default 0;
