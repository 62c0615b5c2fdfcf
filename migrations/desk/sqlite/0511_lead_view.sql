-- Filters of the leads' list that a member of staff has saved under a name. They hold no words of a person.
create table lead_view (
  id text primary key,
  owner_id text not null,
  name text not null,
  filters text not null,
  is_shared integer not null,
  created_at integer not null
) strict;
create index lead_view_owner on lead_view (owner_id);
-- Who has a lead's page open, where several nodes serve: rows go with the page, or are left out once they are old.
create table lead_presence (
  stream_id text primary key,
  lead_id text not null,
  user_id text not null,
  seen_at integer not null,
  writes_until integer not null
) strict;
create index lead_presence_lead on lead_presence (lead_id);
