-- What payers, finance and support read about payments; folded by `projections/src/payment_page.rs`.
create table payment_page (
  payment_id text primary key,
  token_digest text not null unique,
  lead_id text not null,
  room_id text not null,
  root_id text not null,
  form_id text,
  status text not null,
  currency text not null,
  total_minor integer not null,
  opened_at text not null,
  revision integer not null,
  -- The folded payment without its secrets, so that the next event can be told from what was known before it.
  state text not null
) strict, without rowid;
create index payment_page_lead on payment_page (lead_id);

create table payment_audit (
  position integer primary key,
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
  -- What the event adds to the totals.
  captured_minor integer not null,
  refunded_minor integer not null,
  pending_minor integer not null
) strict;
create index payment_audit_payment on payment_audit (payment_id, position);
create index payment_audit_currency on payment_audit (currency, position);

create table gateway_notice (
  position integer primary key,
  payment_id text,
  gateway_event_id text not null,
  kind text not null,
  object_id text not null,
  received_at text not null
) strict;
create index gateway_notice_payment on gateway_notice (payment_id, position);

create table ledger_line (
  position integer not null,
  place integer not null,
  payment_id text not null,
  recorded_at text not null,
  kind text not null,
  account text not null,
  debit_minor integer not null,
  credit_minor integer not null,
  currency text not null,
  primary key (position, place)
) strict, without rowid;
create index ledger_line_payment on ledger_line (payment_id, position);

-- Where an event stands, for "because of": only events of these kinds are asked for.
create table payment_cause (
  event_id text primary key,
  position integer not null
) strict, without rowid;
