-- Feeds on a schedule that staff made in the workspace. The address may hold a key: it is shown nowhere, and goes with its row. Moments are
-- milliseconds since 1970.
create table made_feed (
  name text collate "C" primary key,
  url text collate "C" not null,
  -- JSON; empty where the feed has the house's own names.
  map text collate "C" not null,
  -- `6h`.
  every text collate "C" not null,
  -- `keep`, `report` or `withdraw`.
  missing text collate "C" not null,
  is_paused bigint not null,
  version bigint not null,
  changed_by text collate "C" not null,
  changed_at bigint not null
);

-- The map that was last imported with of each feed: offered for its next file.
create table feed_map (
  feed text collate "C" primary key,
  -- JSON.
  map text collate "C" not null,
  saved_by text collate "C" not null,
  saved_at bigint not null
);

-- Files of feeds that staff uploaded, each kept for a day. The file itself lies in the data folder of one node, which alone works on it.
create table feed_upload (
  id text collate "C" primary key,
  feed text collate "C" not null,
  -- The account of the member of staff.
  by_id text collate "C" not null,
  made_at bigint not null,
  -- `waiting`, `running`, `done`, `failed` or `stopped`.
  stage text collate "C" not null,
  -- 1 once somebody asked that its work stops.
  is_cancelled bigint not null,
  -- The request that asked for the work: the same one again asks for nothing new.
  asked text collate "C" not null,
  version bigint not null,
  -- JSON: the file, its map, what was seen in it, and its last run.
  state text collate "C" not null,
  -- CSV of the last run; empty before.
  report text collate "C" not null
);
create index feed_upload_stage on feed_upload (stage, made_at);
