-- One row for each page and language whose text the house wrote itself and shows.
create table own_text (
  page text collate "C" not null,
  language text collate "C" not null,
  version bigint not null,
  title text collate "C" not null,
  description text collate "C" not null,
  lead text collate "C" not null,
  act text collate "C" not null,
  body text collate "C" not null,
  shipped text collate "C" not null,
  published_at bigint not null,
  primary key (page, language)
);
-- One row for each of which there is a draft.
create table own_text_draft (
  page text collate "C" not null,
  language text collate "C" not null,
  drafted_at bigint not null,
  primary key (page, language)
);
