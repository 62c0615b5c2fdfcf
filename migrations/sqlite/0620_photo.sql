-- One row for each place of a photo or a plan that a home names: whether it was fetched, and what it is.
create table photo (
  photo_id text primary key,
  place text not null,
  state text not null,
  content text,
  width integer,
  height integer,
  format text,
  bytes integer,
  preview text,
  refusal text,
  tries integer not null,
  due_at integer
) strict, without rowid;
create index photo_content on photo (content);
create index photo_due on photo (due_at);
