-- What a lead is found by, in one row that is appended: keyed hashes of 8 bytes each, those of its person apart, because they go with
-- the person. Leads are numbered in the order in which they came.
drop table lead_token;
create table lead_words (
  number integer primary key,
  lead_id text not null,
  personal blob not null,
  plain blob not null
) strict;
-- The same the other way round, written once for every 1,024 leads: for each first byte of a hash, which of these leads have which.
create table lead_posting (
  place integer primary key,
  entries blob not null
) strict;
alter table lead_board add column number integer not null default 0;
-- A lead that no account has claimed is in no index of claims.
drop index lead_board_claimed_by;
create index lead_board_claimed_by on lead_board (claimed_by) where claimed_by is not null;
-- A key of texts is the table itself, not a second tree beside it.
drop table lead_reach;
create table lead_reach (
  lead_id text primary key,
  enquired integer,
  answered integer,
  form_started integer,
  form_completed integer,
  payment_started integer,
  booked integer
) strict, without rowid;
create index lead_reach_enquired on lead_reach (enquired);
drop table lead_step_link;
create table lead_step_link (
  stream_id text primary key,
  lead_id text not null,
  country text
) strict, without rowid;
-- Streams of one lead go by one id, whatever their kind: they are neighbours.
drop table timeline_field;
create table timeline_field (
  kind text not null,
  stream_id text not null,
  field text not null,
  value text,
  primary key (stream_id, kind, field)
) without rowid;
drop index timeline_event_stream;
create index timeline_event_stream on timeline_event (stream_id, kind, position);
drop index lead_stream_back;
create index lead_stream_back on lead_stream (stream_id, kind);
-- Nothing asks for these.
drop index approval_item;
drop index waitlist_place_room;
