-- The pixels of each picture of a brand, so that pages leave room for it.
create table brand_picture (
  content text collate "C" primary key,
  width bigint not null,
  height bigint not null
);
