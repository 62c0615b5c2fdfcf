-- Outcome of each row of a scheduled feed's file, as the command line's report: the newest few of each feed. Moments are milliseconds
-- since 1970.
create table feed_report (
  -- As the log names the run.
  run_id text collate "C" primary key,
  feed text collate "C" not null,
  kept_at bigint not null,
  -- CSV.
  report text collate "C" not null
);
create index feed_report_feed on feed_report (feed, kept_at);
