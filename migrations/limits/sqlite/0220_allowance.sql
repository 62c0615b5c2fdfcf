-- Whoever checks and then counts locks this row first: on every node, one after the other.
create table turn (only_one integer primary key check (only_one = 1), number integer not null) strict;
insert into turn values (1, 0);
-- What somebody may still do: until when, in milliseconds, what they did counts. Keys are keyed hashes.
create table allowance (
  name text not null,
  key text not null,
  until_ms integer not null,
  primary key (name, key)
) strict, without rowid;
create index allowance_until on allowance (until_ms);
