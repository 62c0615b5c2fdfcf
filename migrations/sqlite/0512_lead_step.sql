-- What happened to each lead, one row a step, without a word about its person: reports and searches of sequences read it.
create table lead_step (
  position integer primary key,
  lead_id text not null,
  kind text not null,
  code text,
  country text,
  at integer not null
) strict;
create index lead_step_lead on lead_step (lead_id, position);
create index lead_step_kind on lead_step (kind, at);
-- Which lead a payment or a conversation is of.
create table lead_step_link (
  stream_id text primary key,
  lead_id text not null,
  country text
) strict;
