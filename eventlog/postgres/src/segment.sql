-- What proves the log besides its chain. The root over the leaves of each 4,096 events, counted from 0.

create table segment (
    number bigint primary key,
    root   bytea not null
);

-- The log's end at some time, signed (Ed25519). Each names the one before it, so that none can be taken away between.
create table signed_head (
    position  bigint primary key,
    previous  bigint not null unique,
    chain     bytea  not null,
    root      bytea  not null,
    signed_at bigint not null,
    key_id    bytea  not null,
    signature bytea  not null
);

-- Public halves of the keys that signed. Which of them count is said outside of the database.
create table signing_key (
    id         bytea primary key,
    public_key bytea not null
);
