-- What staff have made of leads, without their words.
create table refund_ask (
  ask_id text collate "C" primary key,
  lead_id text collate "C" not null,
  payment_id text collate "C" not null,
  amount_minor bigint,
  ends_booking bigint not null,
  asked_by text collate "C" not null,
  asked_at bigint not null,
  state text collate "C" not null
);
create index refund_ask_state on refund_ask (state, asked_at);
create table lead_mention (
  lead_id text collate "C" not null,
  user_id text collate "C" not null,
  at bigint not null,
  primary key (lead_id, user_id)
);
create index lead_mention_user on lead_mention (user_id);
create table lead_team (
  lead_id text collate "C" primary key,
  team text collate "C" not null
);
create index lead_team_team on lead_team (team);
