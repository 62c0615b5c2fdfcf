-- Filters of the leads' list that a member of staff has saved under a name. They hold no words of a person.
create table lead_view (
  id text collate "C" primary key,
  owner_id text collate "C" not null,
  name text collate "C" not null,
  filters text collate "C" not null,
  is_shared bigint not null,
  created_at bigint not null
);
create index lead_view_owner on lead_view (owner_id);
-- Who has a lead's page open, where several nodes serve: rows go with the page, or are left out once they are old.
create table lead_presence (
  stream_id text collate "C" primary key,
  lead_id text collate "C" not null,
  user_id text collate "C" not null,
  seen_at bigint not null,
  writes_until bigint not null
);
create index lead_presence_lead on lead_presence (lead_id);
