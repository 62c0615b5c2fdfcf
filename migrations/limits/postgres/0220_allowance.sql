-- Whoever checks and then counts locks this row first: on every node, one after the other.
create table turn (only_one bigint primary key check (only_one = 1), number bigint not null);
insert into turn values (1, 0);
-- What somebody may still do: until when, in milliseconds, what they did counts. Keys are keyed hashes.
create table allowance (
  name text collate "C" not null,
  key text collate "C" not null,
  until_ms bigint not null,
  primary key (name, key)
);
create index allowance_until on allowance (until_ms);
