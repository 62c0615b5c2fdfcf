-- Homes as staff look for them, in every state.
create table staff_home (
  home_id text collate "C" primary key,
  name text collate "C" not null,
  canonical_name text collate "C" not null,
  address text collate "C" not null,
  searched text collate "C" not null,
  alike text collate "C" not null,
  region text collate "C" not null,
  area text collate "C",
  provider text collate "C",
  feed text collate "C",
  feed_id text collate "C",
  currency text collate "C" not null,
  period text collate "C" not null,
  state text collate "C" not null,
  reopens_on text collate "C",
  picture text collate "C",
  own_photos bigint not null,
  photos bigint not null,
  rooms bigint not null,
  uncounted bigint not null,
  leases bigint not null,
  from_minor bigint,
  unsaid text collate "C" not null,
  listed_at bigint not null,
  changed_at bigint not null,
  changed_by_kind text collate "C" not null,
  changed_by_id text collate "C",
  changed_what text collate "C" not null,
  changed_cause text collate "C" not null
);
create index staff_home_changed on staff_home (changed_at, home_id);
create index staff_home_alike on staff_home (alike);
create index staff_home_reopens on staff_home (reopens_on);

-- Its room types, those too that are let no longer.
create table staff_home_room (
  room_id text collate "C" primary key,
  home_id text collate "C" not null,
  is_let bigint not null,
  rooms bigint not null,
  is_count_said bigint not null,
  leases bigint not null,
  asked_minor bigint,
  from_minor bigint,
  photos bigint not null
);
create index staff_home_room_home on staff_home_room (home_id);
