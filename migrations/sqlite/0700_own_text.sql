-- One row for each page and language whose text the house wrote itself and shows.
create table own_text (
  page text not null,
  language text not null,
  version integer not null,
  title text not null,
  description text not null,
  lead text not null,
  act text not null,
  body text not null,
  shipped text not null,
  published_at integer not null,
  primary key (page, language)
) strict, without rowid;
-- One row for each of which there is a draft.
create table own_text_draft (
  page text not null,
  language text not null,
  drafted_at integer not null,
  primary key (page, language)
) strict, without rowid;
