-- Conversations between people and the house, without their words.
create table case_board (
  case_id text collate "C" primary key,
  person_id text collate "C" not null,
  lead_id text collate "C",
  topic text collate "C" not null,
  status text collate "C" not null,
  owner text collate "C",
  due_at bigint,
  opened_at bigint not null,
  last_at bigint not null,
  last_side text collate "C" not null,
  position bigint not null
);
create index case_board_queue on case_board (status, due_at, last_at);
create index case_board_person on case_board (person_id);
create index case_board_lead on case_board (lead_id);
create index case_board_owner on case_board (owner, status);
