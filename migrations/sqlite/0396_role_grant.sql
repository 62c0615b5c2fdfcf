-- Which account holds which role, since when and given by whom; no giver for the command line.
create table role_grant (
  user_id text not null,
  role text not null,
  granted_at text not null,
  granted_by text,
  primary key (user_id, role)
) without rowid;
