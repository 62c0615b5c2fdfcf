-- What proves the log besides its chain. The root over the leaves of each 4,096 events, counted from 0.

create table segment (
    number integer primary key,
    root   blob not null
) strict;

-- The log's end at some time, signed (Ed25519). Each names the one before it, so that none can be taken away between.
create table signed_head (
    position  integer primary key,
    previous  integer not null unique,
    chain     blob    not null,
    root      blob    not null,
    signed_at integer not null,
    key_id    blob    not null,
    signature blob    not null
) strict;

-- Public halves of the keys that signed. Which of them count is said outside of the database.
create table signing_key (
    id         blob not null primary key,
    public_key blob not null
) strict, without rowid;
