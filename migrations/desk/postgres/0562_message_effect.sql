-- The effect that sends the message, after another look at what it tells; none where the message is sent by itself.
alter table message add column effect text collate "C";
-- Why it was not sent after all.
alter table message add column dropped text collate "C";
create index message_effect on message (effect) where state = 'waiting';
