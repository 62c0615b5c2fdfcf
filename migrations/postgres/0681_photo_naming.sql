-- The photos that a home (its own id) or a room type names now: what nobody names any more is not missed.
create table photo_naming (
  holder_id text collate "C" not null,
  photo_id text collate "C" not null,
  home_id text collate "C" not null,
  primary key (holder_id, photo_id)
);
create index photo_naming_photo on photo_naming (photo_id);
