-- Links that ended when a lead was taken from the account that a mistyped address gave it to: who still has one is told to log in.
create table lead_former_link (
  lead_uuid_hash text primary key,
  lead_id text not null
) strict, without rowid;
create index lead_former_link_lead on lead_former_link (lead_id);
