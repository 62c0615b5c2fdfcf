-- Every place ever taken in a room's waitlist, with how it stands.
create table waitlist_place (
  payment_id text primary key,
  room_id text not null,
  home_id text not null,
  joined_at text not null,
  state text not null
) strict;
create index waitlist_place_room on waitlist_place (room_id);
