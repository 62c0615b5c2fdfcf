-- The payment provider's own account as it tells it, and notices that name no payment of ours.
create table provider_line (
  line_id text collate "C" primary key,
  kind text collate "C" not null,
  source text collate "C",
  amount_minor bigint not null,
  fee_minor bigint not null,
  net_minor bigint not null,
  currency text collate "C" not null,
  created_at text collate "C" not null,
  available_at text collate "C" not null,
  payout_id text collate "C"
);
create index provider_line_source on provider_line (source);
create index provider_line_payout on provider_line (payout_id);
create index provider_line_time on provider_line (created_at, line_id);

create table provider_payout (
  payout_id text collate "C" primary key,
  amount_minor bigint not null,
  currency text collate "C" not null,
  status text collate "C" not null,
  created_at text collate "C" not null,
  arrives_at text collate "C" not null
);

create table unknown_notice (
  notice_id text collate "C" primary key,
  received_at text collate "C" not null,
  gateway_event_id text collate "C" not null,
  kind text collate "C" not null,
  object_id text collate "C" not null,
  amount_minor bigint,
  currency text collate "C",
  told_at text collate "C",
  -- Names of what the sender wrote beside it, without what was written.
  metadata text collate "C" not null,
  verdict text collate "C",
  payment_id text collate "C",
  reason text collate "C"
);
create index unknown_notice_time on unknown_notice (verdict, received_at);

create index payment_audit_gateway on payment_audit (gateway_id);
