-- Events a read model could not take in, and what came after them in their streams: left out until it is rebuilt.
create table parked (
  projection text not null,
  position integer not null,
  kind text not null,
  stream text not null,
  event_type text not null,
  error text not null,
  primary key (projection, position)
) without rowid;
