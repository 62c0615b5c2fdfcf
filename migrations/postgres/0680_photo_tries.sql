-- The last answer of a host that gave no photo, and when it was asked; when a picture was taken down, and until when its original is kept.
alter table photo add column answered bigint;
alter table photo add column tried_at bigint;
alter table photo add column taken_down_at bigint;
alter table photo add column kept_until bigint;
