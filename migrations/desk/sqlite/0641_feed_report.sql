-- Outcome of each row of a scheduled feed's file, as the command line's report: the newest few of each feed. Moments are milliseconds
-- since 1970.
create table feed_report (
  -- As the log names the run.
  run_id text primary key,
  feed text not null,
  kept_at integer not null,
  -- CSV.
  report text not null
) strict;
create index feed_report_feed on feed_report (feed, kept_at);
