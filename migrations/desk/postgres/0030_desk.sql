-- One-time codes under way. Only keyed hashes: of the address or number, and of the code.
create table otp (
  session_uuid text collate "C" primary key,
  handle text collate "C" not null,
  code_hash bytea not null,
  created_at bigint not null,
  expires_at bigint not null,
  tries bigint not null default 0,
  dead bigint not null default 0
);
create index otp_handle on otp (handle, created_at);
-- Every code that was sent, for the limits per handle, number block and address.
create table otp_send (
  at bigint not null,
  handle text collate "C" not null,
  block text collate "C" not null,
  ip text collate "C" not null
);
create index otp_send_handle on otp_send (handle, at);
create index otp_send_block on otp_send (block, at);
create index otp_send_ip on otp_send (ip, at);
-- What was sent to people: the embedded outbox (row F1). `message_key` makes each message go out once.
create table message (
  id bigint primary key,
  message_key text collate "C" not null unique,
  recipient text collate "C" not null,
  channel text collate "C" not null,
  kind text collate "C" not null,
  subject text collate "C" not null,
  body text collate "C" not null,
  code text collate "C",
  sent_at text collate "C" not null
);
create index message_recipient on message (recipient, id);
