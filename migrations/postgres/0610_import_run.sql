-- One row for each run of an import: what was read, for whom, and what became of it.
create table import_run (
  run_id text collate "C" primary key,
  position bigint not null,
  feed text collate "C" not null,
  by_kind text collate "C" not null,
  by_id text collate "C",
  file text collate "C" not null,
  digest text collate "C" not null,
  map_digest text collate "C",
  missing_rule text collate "C" not null,
  begun_at text collate "C" not null,
  ended_at text collate "C",
  outcome text collate "C",
  reason text collate "C",
  homes bigint,
  allowed bigint,
  added bigint not null default 0,
  changed bigint not null default 0,
  unchanged bigint not null default 0,
  rejected bigint not null default 0,
  left_out bigint not null default 0,
  missing bigint not null default 0,
  withdrawn bigint not null default 0
);
create index import_run_position on import_run (position);

-- The run that changed a home last.
create table import_run_home (
  home_id text collate "C" primary key,
  run_id text collate "C" not null
);
