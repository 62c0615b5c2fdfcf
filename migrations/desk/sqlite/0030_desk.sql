-- One-time codes under way. Only keyed hashes: of the address or number, and of the code.
create table otp (
  session_uuid text primary key,
  handle text not null,
  code_hash blob not null,
  created_at integer not null,
  expires_at integer not null,
  tries integer not null default 0,
  dead integer not null default 0
) without rowid;
create index otp_handle on otp (handle, created_at);
-- Every code that was sent, for the limits per handle, number block and address.
create table otp_send (
  at integer not null,
  handle text not null,
  block text not null,
  ip text not null
);
create index otp_send_handle on otp_send (handle, at);
create index otp_send_block on otp_send (block, at);
create index otp_send_ip on otp_send (ip, at);
-- What was sent to people: the embedded outbox (row F1). `message_key` makes each message go out once.
create table message (
  id integer primary key,
  message_key text not null unique,
  recipient text not null,
  channel text not null,
  kind text not null,
  subject text not null,
  body text not null,
  code text,
  sent_at text not null
);
create index message_recipient on message (recipient, id);
