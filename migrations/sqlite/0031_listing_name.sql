-- What leads and their readers call a property or a room.
create table listing_name (
  inventory_id text primary key,
  root_id text not null,
  canonical_name text not null,
  property text not null,
  room text,
  city text not null,
  address text not null,
  picture text,
  price_minor integer,
  currency text not null,
  period text not null
) without rowid;
create index listing_name_canonical on listing_name (canonical_name);
create index listing_name_root on listing_name (root_id);
create table listing_source (
  source_id text primary key,
  inventory_id text not null
) without rowid;
create table listing_region (
  region_id text primary key,
  name text not null
) without rowid;
