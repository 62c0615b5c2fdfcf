-- What homes are called, kept by each read model that says so: no fold of one model reads the rows of another.
create table lead_board_home (
  root_id text collate "C" primary key,
  property text collate "C" not null,
  region_id text collate "C" not null
);
create table lead_board_city (
  region_id text collate "C" primary key,
  name text collate "C" not null
);
create table timeline_home (
  root_id text collate "C" primary key,
  property text collate "C" not null
);
