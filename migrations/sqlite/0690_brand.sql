-- One row for each brand that was published: the version that readers see, and its look as JSON.
create table brand (
  brand_id text primary key,
  version integer not null,
  look text not null,
  published_at text not null,
  position integer not null
) strict, without rowid;
