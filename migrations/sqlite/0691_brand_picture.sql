-- The pixels of each picture of a brand, so that pages leave room for it.
create table brand_picture (
  content text primary key,
  width integer not null,
  height integer not null
) strict, without rowid;
