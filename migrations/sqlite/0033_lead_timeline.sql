-- Every event of a lead's streams as a sentence with the changes it made; a lead's history is its streams' rows in order.
create table timeline_event (
  position integer primary key,
  kind text not null,
  stream_id text not null,
  revision integer not null,
  event_id text not null,
  type text not null,
  recorded_at text not null,
  actor_kind text not null,
  actor_id text,
  correlation_id text not null,
  causation_id text,
  sentence text not null,
  params text not null,
  failed integer not null,
  changes text not null
);
create index timeline_event_stream on timeline_event (kind, stream_id, position);
create index timeline_event_id on timeline_event (event_id);
-- What each field of a stream holds now, to say what a change changed from.
create table timeline_field (
  kind text not null,
  stream_id text not null,
  field text not null,
  value text,
  primary key (kind, stream_id, field)
) without rowid;
create table lead_stream (
  lead_id text not null,
  kind text not null,
  stream_id text not null,
  primary key (lead_id, kind, stream_id)
) without rowid;
create index lead_stream_back on lead_stream (kind, stream_id);
