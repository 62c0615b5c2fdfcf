-- What homes are called, kept by each read model that says so: no fold of one model reads the rows of another.
create table lead_board_home (
  root_id text primary key,
  property text not null,
  region_id text not null
) without rowid;
create table lead_board_city (
  region_id text primary key,
  name text not null
) without rowid;
create table timeline_home (
  root_id text primary key,
  property text not null
) without rowid;
