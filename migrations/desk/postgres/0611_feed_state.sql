-- Feeds that are fetched on a schedule: when next, by what the last file is known again, and how the last run ended. No address and no word
-- of a feed: names of the setting, hashes and counts. Moments are milliseconds since 1970, 0 for never.
create table feed_state (
  name text collate "C" primary key,
  due_at bigint not null,
  -- The run that is under way; empty between two. One that was cut off stays until the next begins.
  run text collate "C" not null,
  etag text collate "C" not null,
  last_modified text collate "C" not null,
  content_hash text collate "C" not null,
  -- Of the map and the rest that decides what a file comes to.
  fingerprint text collate "C" not null,
  ended_at bigint not null,
  -- `imported`, `unchanged` or `failed`; empty before the first end.
  ended text collate "C" not null,
  failure text collate "C" not null,
  -- Failed runs since the last that did not; one that only a person can mend counts twice.
  failures bigint not null,
  -- The last run that took a file in, and its counts.
  imported_at bigint not null,
  rows_read bigint not null,
  added bigint not null,
  changed bigint not null,
  unchanged bigint not null,
  rejected bigint not null
);
