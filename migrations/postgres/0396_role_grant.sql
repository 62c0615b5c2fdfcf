-- Which account holds which role, since when and given by whom; no giver for the command line.
create table role_grant (
  user_id text collate "C" not null,
  role text collate "C" not null,
  granted_at text collate "C" not null,
  granted_by text collate "C",
  primary key (user_id, role)
);
