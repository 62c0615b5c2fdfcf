-- How far each read model has come in the log. `error` says why one rests.
create table projection (
  name text collate "C" primary key,
  version bigint not null,
  position bigint not null,
  error text collate "C"
);
