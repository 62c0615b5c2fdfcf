-- What payers, finance and support read about payments; folded by `projections/src/payment_page.rs`.
create table payment_page (
  payment_id text collate "C" primary key,
  token_digest text collate "C" not null unique,
  lead_id text collate "C" not null,
  room_id text collate "C" not null,
  root_id text collate "C" not null,
  form_id text collate "C",
  status text collate "C" not null,
  currency text collate "C" not null,
  total_minor bigint not null,
  opened_at text collate "C" not null,
  revision bigint not null,
  -- The folded payment without its secrets, so that the next event can be told from what was known before it.
  state text collate "C" not null
);
create index payment_page_lead on payment_page (lead_id);

create table payment_audit (
  position bigint primary key,
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
  -- What the event adds to the totals.
  captured_minor bigint not null,
  refunded_minor bigint not null,
  pending_minor bigint not null
);
create index payment_audit_payment on payment_audit (payment_id, position);
create index payment_audit_currency on payment_audit (currency, position);

create table gateway_notice (
  position bigint primary key,
  payment_id text collate "C",
  gateway_event_id text collate "C" not null,
  kind text collate "C" not null,
  object_id text collate "C" not null,
  received_at text collate "C" not null
);
create index gateway_notice_payment on gateway_notice (payment_id, position);

create table ledger_line (
  position bigint not null,
  place bigint not null,
  payment_id text collate "C" not null,
  recorded_at text collate "C" not null,
  kind text collate "C" not null,
  account text collate "C" not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  currency text collate "C" not null,
  primary key (position, place)
);
create index ledger_line_payment on ledger_line (payment_id, position);

-- Where an event stands, for "because of": only events of these kinds are asked for.
create table payment_cause (
  event_id text collate "C" primary key,
  position bigint not null
);
