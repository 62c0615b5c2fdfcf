-- The payment provider's own account as it tells it, and notices that name no payment of ours.
create table provider_line (
  line_id text primary key,
  kind text not null,
  source text,
  amount_minor integer not null,
  fee_minor integer not null,
  net_minor integer not null,
  currency text not null,
  created_at text not null,
  available_at text not null,
  payout_id text
) strict;
create index provider_line_source on provider_line (source);
create index provider_line_payout on provider_line (payout_id);
create index provider_line_time on provider_line (created_at, line_id);

create table provider_payout (
  payout_id text primary key,
  amount_minor integer not null,
  currency text not null,
  status text not null,
  created_at text not null,
  arrives_at text not null
) strict;

create table unknown_notice (
  notice_id text primary key,
  received_at text not null,
  gateway_event_id text not null,
  kind text not null,
  object_id text not null,
  amount_minor integer,
  currency text,
  told_at text,
  -- Names of what the sender wrote beside it, without what was written.
  metadata text not null,
  verdict text,
  payment_id text,
  reason text
) strict;
create index unknown_notice_time on unknown_notice (verdict, received_at);

create index payment_audit_gateway on payment_audit (gateway_id);
