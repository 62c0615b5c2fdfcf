-- What a home and its city are called in other languages than the fallback, one row a language (D132); filled by the next fold of the log.
alter table listing_name drop column room_zh;
alter table listing_name drop column city_zh;
alter table listing_region drop column name_zh;
create table listing_wording (
  inventory_id text not null,
  language text not null,
  root_id text not null,
  room text,
  city text,
  primary key (inventory_id, language)
) strict, without rowid;
create index listing_wording_root on listing_wording (root_id);
create table listing_region_wording (
  region_id text not null,
  language text not null,
  name text not null,
  primary key (region_id, language)
) strict, without rowid;
