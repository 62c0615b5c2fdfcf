-- Conversations between people and the house, without their words.
create table case_board (
  case_id text primary key,
  person_id text not null,
  lead_id text,
  topic text not null,
  status text not null,
  owner text,
  due_at integer,
  opened_at integer not null,
  last_at integer not null,
  last_side text not null,
  position integer not null
) strict;
create index case_board_queue on case_board (status, due_at, last_at);
create index case_board_person on case_board (person_id);
create index case_board_lead on case_board (lead_id);
create index case_board_owner on case_board (owner, status);
