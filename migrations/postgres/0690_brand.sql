-- One row for each brand that was published: the version that readers see, and its look as JSON.
create table brand (
  brand_id text collate "C" primary key,
  version bigint not null,
  look text collate "C" not null,
  published_at text collate "C" not null,
  position bigint not null
);
