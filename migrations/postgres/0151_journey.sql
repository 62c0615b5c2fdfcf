-- What a person did about each property: the flags, as JSON.
create table journey (
  person text collate "C" not null,
  property text collate "C" not null,
  document bytea not null,
  primary key (person, property)
);
-- The properties a person keeps an eye on.
create table shortlist (
  person text collate "C" not null,
  property text collate "C" not null,
  entry text collate "C" not null,
  primary key (person, property)
);
