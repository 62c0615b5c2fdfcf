-- Mirrors of a person's steps, from the code that they read out to a day after the end. A report holds names of states and fields, no words
-- of a person. Moments are milliseconds since 1970.
create table mirror (
  id text primary key,
  user_id text not null,
  session_id text not null,
  code_hash text not null,
  page text not null,
  code_until integer not null,
  seen_at integer not null,
  staff_id text,
  began_at integer,
  ends_at integer,
  ended_by text,
  report text,
  nudge text
) strict;
create index mirror_user on mirror (user_id);
create index mirror_code on mirror (code_hash);
