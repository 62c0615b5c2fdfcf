-- One row per lead for lists. Nothing here tells who the person is: masked values to show, keyed hashes to find by.
create table lead_board (
  lead_id text primary key,
  position integer not null,
  lead_uuid_hash text not null,
  person_id text not null,
  reference text not null,
  root_id text,
  inventory_id text,
  property text,
  status text not null,
  source text,
  owner text,
  is_repeat integer not null,
  answered integer not null default 0,
  name_masked text not null default '',
  email_masked text not null default '',
  phone_masked text not null default '',
  email_hash text,
  phone_hash text,
  form_id text,
  payment_id text,
  created_at text not null,
  last_event_at text not null
) without rowid;
create unique index lead_board_uuid on lead_board (lead_uuid_hash);
create index lead_board_person on lead_board (person_id);
create index lead_board_email on lead_board (email_hash);
create index lead_board_phone on lead_board (phone_hash);
create index lead_board_last on lead_board (position);
create table lead_token (
  token text not null,
  lead_id text not null,
  primary key (token, lead_id)
) without rowid;
create index lead_token_lead on lead_token (lead_id);
-- A form's public name is a keyed hash of its id, so that the log's own id opens nothing.
create table form_link (
  form_uuid text primary key,
  form_id text not null,
  lead_id text not null
) without rowid;
create table payment_link (
  payment_id text primary key,
  lead_id text not null
) without rowid;
