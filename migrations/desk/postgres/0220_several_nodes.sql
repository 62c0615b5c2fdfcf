-- Whoever checks and then counts locks this row first: on every node, one after the other.
create table turn (only_one bigint primary key check (only_one = 1), number bigint not null);
insert into turn values (1, 0);
-- Notes of the server to itself.
create table note (name text collate "C" primary key, value text collate "C" not null);
-- Sealed uploads, where nodes have no folder in common.
create table document (id text collate "C" primary key, sealed bytea not null);
