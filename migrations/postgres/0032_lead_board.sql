-- One row per lead for lists. Nothing here tells who the person is: masked values to show, keyed hashes to find by.
create table lead_board (
  lead_id text collate "C" primary key,
  position bigint not null,
  lead_uuid_hash text collate "C" not null,
  person_id text collate "C" not null,
  reference text collate "C" not null,
  root_id text collate "C",
  inventory_id text collate "C",
  property text collate "C",
  status text collate "C" not null,
  source text collate "C",
  owner text collate "C",
  is_repeat bigint not null,
  answered bigint not null default 0,
  name_masked text collate "C" not null default '',
  email_masked text collate "C" not null default '',
  phone_masked text collate "C" not null default '',
  email_hash text collate "C",
  phone_hash text collate "C",
  form_id text collate "C",
  payment_id text collate "C",
  created_at text collate "C" not null,
  last_event_at text collate "C" not null
);
create unique index lead_board_uuid on lead_board (lead_uuid_hash);
create index lead_board_person on lead_board (person_id);
create index lead_board_email on lead_board (email_hash);
create index lead_board_phone on lead_board (phone_hash);
create index lead_board_last on lead_board (position);
create table lead_token (
  token text collate "C" not null,
  lead_id text collate "C" not null,
  primary key (token, lead_id)
);
create index lead_token_lead on lead_token (lead_id);
-- A form's public name is a keyed hash of its id, so that the log's own id opens nothing.
create table form_link (
  form_uuid text collate "C" primary key,
  form_id text collate "C" not null,
  lead_id text collate "C" not null
);
create table payment_link (
  payment_id text collate "C" primary key,
  lead_id text collate "C" not null
);
