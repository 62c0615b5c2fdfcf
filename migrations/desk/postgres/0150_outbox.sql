-- The half of a mail that shows the home's picture.
alter table message add column html text collate "C";
-- Whom it went to, as a keyed hash: for the limits, where the address itself is not kept.
alter table message add column recipient_hash text collate "C" not null default '';
create index message_recipient_hash on message (recipient_hash, id);
