-- How far the reactor has read. Files from before this migration have these tables already.
create table if not exists progress (one integer primary key check (one = 1), position integer not null) strict;
create table if not exists outbox (
  id text primary key,
  event_id text not null,
  correlation_id text not null,
  effect text not null,
  attempts integer not null default 0,
  due_ms integer not null,
  done_ms integer,
  error text
) strict;
create index if not exists outbox_due on outbox (due_ms) where done_ms is null;
-- Holds that will end.
create table if not exists hold (
  room_id text not null,
  payment_id text not null,
  ends_ms integer not null,
  primary key (room_id, payment_id)
) strict;
-- Payments whose gateway is asked when it stays silent.
create table if not exists watched (payment_id text primary key, due_ms integer not null, looks integer not null) strict;
insert into progress (one, position) values (1, 0) on conflict do nothing;
