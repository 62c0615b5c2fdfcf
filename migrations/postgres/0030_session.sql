-- Finds a person by the digest of their login token; whether the login still stands is decided on the person's stream.
create table session (
  token_digest text collate "C" primary key,
  session_id text collate "C" not null,
  user_id text collate "C" not null
);
