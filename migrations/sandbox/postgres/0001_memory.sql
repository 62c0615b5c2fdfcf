-- What the provider remembers.
create table if not exists setting (name text collate "C" primary key, value text collate "C" not null);
create table if not exists intent (id text collate "C" primary key, settles_ms bigint, state text collate "C" not null);
create table if not exists refund (id text collate "C" primary key, settles_ms bigint, state text collate "C" not null);
create table if not exists answer (key text collate "C" primary key, digest bytea not null, reply text collate "C" not null);
create table if not exists notice (
  seq bigint primary key,
  id text collate "C" unique not null,
  kind text collate "C" not null,
  body text collate "C" not null,
  due_ms bigint not null,
  remaining bigint not null,
  delivered bigint not null default 0,
  dropped bigint not null default 0
);
