-- Links that ended when a lead was taken from the account that a mistyped address gave it to: who still has one is told to log in.
create table lead_former_link (
  lead_uuid_hash text collate "C" primary key,
  lead_id text collate "C" not null
);
create index lead_former_link_lead on lead_former_link (lead_id);
