-- One row for each place of a photo or a plan that a home names: whether it was fetched, and what it is.
create table photo (
  photo_id text collate "C" primary key,
  place text collate "C" not null,
  state text collate "C" not null,
  content text collate "C",
  width bigint,
  height bigint,
  format text collate "C",
  bytes bigint,
  preview text collate "C",
  refusal text collate "C",
  tries bigint not null,
  due_at bigint
);
create index photo_content on photo (content);
create index photo_due on photo (due_at);
