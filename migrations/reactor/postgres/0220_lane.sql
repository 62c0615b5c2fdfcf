-- Calls to the gateway and messages wait apart.
alter table outbox add column lane text collate "C" not null default 'gateway';
update outbox set lane = 'messages' where effect like '{"Send%Message":%';
