-- Which came first; what is there already is older than all that will be.
alter table intent add column seq bigint not null default 0;
alter table refund add column seq bigint not null default 0;
-- Whoever changes the memory locks this row first: on every node, one after the other.
create table turn (only_one bigint primary key check (only_one = 1), number bigint not null);
insert into turn values (1, 0);
