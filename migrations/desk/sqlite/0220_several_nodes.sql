-- Whoever checks and then counts locks this row first: on every node, one after the other.
create table turn (only_one integer primary key check (only_one = 1), number integer not null) strict;
insert into turn values (1, 0);
-- Notes of the server to itself.
create table note (name text primary key, value text not null) strict, without rowid;
-- Sealed uploads, where nodes have no folder in common.
create table document (id text primary key, sealed blob not null) strict;
