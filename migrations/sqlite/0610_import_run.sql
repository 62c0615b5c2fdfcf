-- One row for each run of an import: what was read, for whom, and what became of it.
create table import_run (
  run_id text primary key,
  position integer not null,
  feed text not null,
  by_kind text not null,
  by_id text,
  file text not null,
  digest text not null,
  map_digest text,
  missing_rule text not null,
  begun_at text not null,
  ended_at text,
  outcome text,
  reason text,
  homes integer,
  allowed integer,
  added integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  left_out integer not null default 0,
  missing integer not null default 0,
  withdrawn integer not null default 0
) strict, without rowid;
create index import_run_position on import_run (position);

-- The run that changed a home last.
create table import_run_home (
  home_id text primary key,
  run_id text not null
) strict, without rowid;
