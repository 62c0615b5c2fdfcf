-- Every event of a lead's streams as a sentence with the changes it made; a lead's history is its streams' rows in order.
create table timeline_event (
  position bigint primary key,
  kind text collate "C" not null,
  stream_id text collate "C" not null,
  revision bigint not null,
  event_id text collate "C" not null,
  type text collate "C" not null,
  recorded_at text collate "C" not null,
  actor_kind text collate "C" not null,
  actor_id text collate "C",
  correlation_id text collate "C" not null,
  causation_id text collate "C",
  sentence text collate "C" not null,
  params text collate "C" not null,
  failed bigint not null,
  changes text collate "C" not null
);
create index timeline_event_stream on timeline_event (kind, stream_id, position);
create index timeline_event_id on timeline_event (event_id);
-- What each field of a stream holds now, to say what a change changed from.
create table timeline_field (
  kind text collate "C" not null,
  stream_id text collate "C" not null,
  field text collate "C" not null,
  value text collate "C",
  primary key (kind, stream_id, field)
);
create table lead_stream (
  lead_id text collate "C" not null,
  kind text collate "C" not null,
  stream_id text collate "C" not null,
  primary key (lead_id, kind, stream_id)
);
create index lead_stream_back on lead_stream (kind, stream_id);
