-- Conversations given to a team, and colleagues whom a note of one mentions.
alter table case_board add column team text collate "C";
create table case_mention (
  case_id text collate "C" not null,
  user_id text collate "C" not null,
  at bigint not null,
  primary key (case_id, user_id)
);
create index case_mention_user on case_mention (user_id);
