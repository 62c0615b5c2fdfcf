-- A hold that stands back for anybody who is logged in is not shown as taken.
alter table inventory_taken add column yields bigint not null default 0;
