-- Feeds that are fetched on a schedule: when next, by what the last file is known again, and how the last run ended. No address and no word
-- of a feed: names of the setting, hashes and counts. Moments are milliseconds since 1970, 0 for never.
create table feed_state (
  name text primary key,
  due_at integer not null,
  -- The run that is under way; empty between two. One that was cut off stays until the next begins.
  run text not null,
  etag text not null,
  last_modified text not null,
  content_hash text not null,
  -- Of the map and the rest that decides what a file comes to.
  fingerprint text not null,
  ended_at integer not null,
  -- `imported`, `unchanged` or `failed`; empty before the first end.
  ended text not null,
  failure text not null,
  -- Failed runs since the last that did not; one that only a person can mend counts twice.
  failures integer not null,
  -- The last run that took a file in, and its counts.
  imported_at integer not null,
  rows_read integer not null,
  added integer not null,
  changed integer not null,
  unchanged integer not null,
  rejected integer not null
) strict, without rowid;
