-- Feeds on a schedule that staff made in the workspace. The address may hold a key: it is shown nowhere, and goes with its row. Moments are
-- milliseconds since 1970.
create table made_feed (
  name text primary key,
  url text not null,
  -- JSON; empty where the feed has the house's own names.
  map text not null,
  -- `6h`.
  every text not null,
  -- `keep`, `report` or `withdraw`.
  missing text not null,
  is_paused integer not null,
  version integer not null,
  changed_by text not null,
  changed_at integer not null
) strict;

-- The map that was last imported with of each feed: offered for its next file.
create table feed_map (
  feed text primary key,
  -- JSON.
  map text not null,
  saved_by text not null,
  saved_at integer not null
) strict;

-- Files of feeds that staff uploaded, each kept for a day. The file itself lies in the data folder of one node, which alone works on it.
create table feed_upload (
  id text primary key,
  feed text not null,
  -- The account of the member of staff.
  by_id text not null,
  made_at integer not null,
  -- `waiting`, `running`, `done`, `failed` or `stopped`.
  stage text not null,
  -- 1 once somebody asked that its work stops.
  is_cancelled integer not null,
  -- The request that asked for the work: the same one again asks for nothing new.
  asked text not null,
  version integer not null,
  -- JSON: the file, its map, what was seen in it, and its last run.
  state text not null,
  -- CSV of the last run; empty before.
  report text not null
) strict;
create index feed_upload_stage on feed_upload (stage, made_at);
