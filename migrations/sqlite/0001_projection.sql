-- How far each read model has come in the log. `error` says why one rests.
create table projection (
  name text primary key,
  version integer not null,
  position integer not null,
  error text
) without rowid;
