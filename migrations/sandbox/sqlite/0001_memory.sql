-- What the provider remembers. Files from before this migration have these tables already.
create table if not exists setting (name text primary key, value text not null) strict;
create table if not exists intent (id text primary key, settles_ms integer, state text not null) strict;
create table if not exists refund (id text primary key, settles_ms integer, state text not null) strict;
create table if not exists answer (key text primary key, digest blob not null, reply text not null) strict;
create table if not exists notice (
  seq integer primary key,
  id text unique not null,
  kind text not null,
  body text not null,
  due_ms integer not null,
  remaining integer not null,
  delivered integer not null default 0,
  dropped integer not null default 0
) strict;
