-- Every place ever taken in a room's waitlist, with how it stands.
create table waitlist_place (
  payment_id text collate "C" primary key,
  room_id text collate "C" not null,
  home_id text collate "C" not null,
  joined_at text collate "C" not null,
  state text collate "C" not null
);
create index waitlist_place_room on waitlist_place (room_id);
