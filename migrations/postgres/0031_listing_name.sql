-- What leads and their readers call a property or a room.
create table listing_name (
  inventory_id text collate "C" primary key,
  root_id text collate "C" not null,
  canonical_name text collate "C" not null,
  property text collate "C" not null,
  room text collate "C",
  city text collate "C" not null,
  address text collate "C" not null,
  picture text collate "C",
  price_minor bigint,
  currency text collate "C" not null,
  period text collate "C" not null
);
create index listing_name_canonical on listing_name (canonical_name);
create index listing_name_root on listing_name (root_id);
create table listing_source (
  source_id text collate "C" primary key,
  inventory_id text collate "C" not null
);
create table listing_region (
  region_id text collate "C" primary key,
  name text collate "C" not null
);
