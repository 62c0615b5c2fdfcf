-- Conversations given to a team, and colleagues whom a note of one mentions.
alter table case_board add column team text;
create table case_mention (
  case_id text not null,
  user_id text not null,
  at integer not null,
  primary key (case_id, user_id)
) strict, without rowid;
create index case_mention_user on case_mention (user_id);
