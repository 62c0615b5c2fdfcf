-- How far the reactor has read.
create table if not exists progress (one bigint primary key check (one = 1), position bigint not null);
create table if not exists outbox (
  id text collate "C" primary key,
  event_id text collate "C" not null,
  correlation_id text collate "C" not null,
  effect text collate "C" not null,
  attempts bigint not null default 0,
  due_ms bigint not null,
  done_ms bigint,
  error text collate "C"
);
create index if not exists outbox_due on outbox (due_ms) where done_ms is null;
-- Holds that will end.
create table if not exists hold (
  room_id text collate "C" not null,
  payment_id text collate "C" not null,
  ends_ms bigint not null,
  primary key (room_id, payment_id)
);
-- Payments whose gateway is asked when it stays silent.
create table if not exists watched (payment_id text collate "C" primary key, due_ms bigint not null, looks bigint not null);
insert into progress (one, position) values (1, 0) on conflict do nothing;
