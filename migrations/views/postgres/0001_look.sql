-- Who looked at what, as keyed hashes.
create table if not exists look (
  inventory text collate "C" not null,
  visitor bytea not null,
  day bigint not null,
  primary key (inventory, visitor)
);
create table if not exists secret (only_one bigint primary key check (only_one = 1), bytes bytea not null);
