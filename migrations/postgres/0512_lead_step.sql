-- What happened to each lead, one row a step, without a word about its person: reports and searches of sequences read it.
create table lead_step (
  position bigint primary key,
  lead_id text collate "C" not null,
  kind text collate "C" not null,
  code text collate "C",
  country text collate "C",
  at bigint not null
);
create index lead_step_lead on lead_step (lead_id, position);
create index lead_step_kind on lead_step (kind, at);
-- Which lead a payment or a conversation is of.
create table lead_step_link (
  stream_id text collate "C" primary key,
  lead_id text collate "C" not null,
  country text collate "C"
);
