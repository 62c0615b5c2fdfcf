-- Mirrors of a person's steps, from the code that they read out to a day after the end. A report holds names of states and fields, no words
-- of a person. Moments are milliseconds since 1970.
create table mirror (
  id text collate "C" primary key,
  user_id text collate "C" not null,
  session_id text collate "C" not null,
  code_hash text collate "C" not null,
  page text collate "C" not null,
  code_until bigint not null,
  seen_at bigint not null,
  staff_id text collate "C",
  began_at bigint,
  ends_at bigint,
  ended_by text collate "C",
  report text collate "C",
  nudge text collate "C"
);
create index mirror_user on mirror (user_id);
create index mirror_code on mirror (code_hash);
