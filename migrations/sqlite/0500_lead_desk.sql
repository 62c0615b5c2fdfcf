-- What staff have made of leads, without their words.
create table refund_ask (
  ask_id text primary key,
  lead_id text not null,
  payment_id text not null,
  amount_minor integer,
  ends_booking integer not null,
  asked_by text not null,
  asked_at integer not null,
  state text not null
) strict;
create index refund_ask_state on refund_ask (state, asked_at);
create table lead_mention (
  lead_id text not null,
  user_id text not null,
  at integer not null,
  primary key (lead_id, user_id)
) strict;
create index lead_mention_user on lead_mention (user_id);
create table lead_team (
  lead_id text primary key,
  team text not null
) strict;
create index lead_team_team on lead_team (team);
