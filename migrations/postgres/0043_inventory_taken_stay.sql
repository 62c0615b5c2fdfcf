-- Each lease of a room has rooms of its own: which one is taken, and under which hold. Two payments for one booking share
-- one room and one hold.
alter table inventory_taken add column hold text collate "C";
alter table inventory_taken add column stay text collate "C";
