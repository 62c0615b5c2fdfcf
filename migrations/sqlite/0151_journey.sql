-- What a person did about each property: the flags, as JSON.
create table journey (
  person text not null,
  property text not null,
  document blob not null,
  primary key (person, property)
) without rowid;
-- The properties a person keeps an eye on.
create table shortlist (
  person text not null,
  property text not null,
  entry text not null,
  primary key (person, property)
) without rowid;
