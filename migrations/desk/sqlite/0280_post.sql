-- A message that a mail server has still to take keeps its texts, where it is due, and what the server said.
alter table message add column state text not null default 'sent';
alter table message add column attempts integer not null default 0;
alter table message add column due_ms integer not null default 0;
alter table message add column refusal integer;
create index message_waiting on message (due_ms) where state = 'waiting';
