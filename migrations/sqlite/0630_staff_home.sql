-- Homes as staff look for them, in every state.
create table staff_home (
  home_id text primary key,
  name text not null,
  canonical_name text not null,
  address text not null,
  searched text not null,
  alike text not null,
  region text not null,
  area text,
  provider text,
  feed text,
  feed_id text,
  currency text not null,
  period text not null,
  state text not null,
  reopens_on text,
  picture text,
  own_photos integer not null,
  photos integer not null,
  rooms integer not null,
  uncounted integer not null,
  leases integer not null,
  from_minor integer,
  unsaid text not null,
  listed_at integer not null,
  changed_at integer not null,
  changed_by_kind text not null,
  changed_by_id text,
  changed_what text not null,
  changed_cause text not null
) strict, without rowid;
create index staff_home_changed on staff_home (changed_at, home_id);
create index staff_home_alike on staff_home (alike);
create index staff_home_reopens on staff_home (reopens_on);

-- Its room types, those too that are let no longer.
create table staff_home_room (
  room_id text primary key,
  home_id text not null,
  is_let integer not null,
  rooms integer not null,
  is_count_said integer not null,
  leases integer not null,
  asked_minor integer,
  from_minor integer,
  photos integer not null
) strict, without rowid;
create index staff_home_room_home on staff_home_room (home_id);
