-- What the gateway charged for a dispute is a row of its own beside the event's, so that list, sums and files are one.
drop table payment_audit;
create table payment_audit (
  position bigint not null,
  -- 0 for the event itself, 1 for what the gateway charged by it.
  line bigint not null,
  recorded_at text collate "C" not null,
  kind text collate "C" not null,
  -- A key of the catalogue `finance_detail`.
  detail text collate "C" not null,
  payment_id text collate "C" not null,
  reference text collate "C" not null,
  lead_id text collate "C" not null,
  root_id text collate "C" not null,
  amount_minor bigint not null,
  sign bigint not null,
  currency text collate "C" not null,
  gateway_id text collate "C",
  request_id text collate "C" not null,
  causation_id text collate "C",
  -- What the row adds to the totals.
  captured_minor bigint not null,
  refunded_minor bigint not null,
  pending_minor bigint not null,
  disputed_minor bigint not null,
  fees_minor bigint not null,
  primary key (position, line)
);
create index payment_audit_payment on payment_audit (payment_id, position);
create index payment_audit_gateway on payment_audit (gateway_id);
create index payment_audit_time on payment_audit (recorded_at, position, line);
create index payment_audit_kind on payment_audit (kind, recorded_at, position, line);
create index payment_audit_currency on payment_audit (currency, recorded_at, position, line);
create index payment_audit_kind_currency on payment_audit (kind, currency, recorded_at, position, line);
alter table payment_tally add column fees_minor bigint not null default 0;
