-- Which came first; what is there already is older than all that will be.
alter table intent add column seq integer not null default 0;
alter table refund add column seq integer not null default 0;
-- Whoever changes the memory locks this row first: on every node, one after the other.
create table turn (only_one integer primary key check (only_one = 1), number integer not null) strict;
insert into turn values (1, 0);
