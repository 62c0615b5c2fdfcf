-- Who looked at what, as keyed hashes. Files from before this migration have these tables already.
create table if not exists look (
  inventory text not null,
  visitor blob not null,
  day integer not null,
  primary key (inventory, visitor)
) without rowid;
create table if not exists secret (only_one integer primary key check (only_one = 1), bytes blob not null);
