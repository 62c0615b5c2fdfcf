-- Finds a person by the digest of their login token; whether the login still stands is decided on the person's stream.
create table session (
  token_digest text primary key,
  session_id text not null,
  user_id text not null
) without rowid;
