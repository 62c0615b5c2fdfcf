-- A feed's own id that is written as the id or the address of another home does not stand for it: 0 ids, 1 addresses, 2 ids of feeds.
alter table inventory_name add column precedence bigint not null default 0;
