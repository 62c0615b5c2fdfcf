-- Events a read model could not take in, and what came after them in their streams: left out until it is rebuilt.
create table parked (
  projection text collate "C" not null,
  position bigint not null,
  kind text collate "C" not null,
  stream text collate "C" not null,
  event_type text collate "C" not null,
  error text collate "C" not null,
  primary key (projection, position)
);
