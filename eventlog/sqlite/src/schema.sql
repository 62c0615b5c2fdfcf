-- The log. Times are microseconds UTC, ids are 16 bytes, hashes 32 bytes. Rows of `event` are only ever added.

create table event (
    position       integer primary key,
    stream         integer not null,
    kind           text    not null,
    revision       integer not null,
    event_id       blob    not null unique,
    event_type     text    not null,
    schema_version integer not null,
    recorded_at    integer not null,
    occurred_at    integer not null,
    actor_kind     integer not null,
    actor_id       blob,
    command_id     blob,
    correlation_id blob    not null,
    causation_id   blob,
    subject_id     blob,
    codec          text    not null,
    payload        blob    not null,
    sealed         blob,
    payload_digest blob    not null,
    sealed_digest  blob,
    leaf           blob    not null,
    chain          blob    not null,
    unique (stream, revision)
) strict;
create index event_by_type on event (event_type, position);
create index event_by_correlation on event (correlation_id);
create index event_by_subject on event (subject_id) where subject_id is not null;

-- The end of the log, so that a tail cut off is noticed.
create table log_head (
    only     integer primary key check (only = 1),
    position integer not null,
    chain    blob    not null
) strict;
insert into log_head values (1, 0, zeroblob(32));

-- A short key inside for every stream's name outside, in the order of first events.
create table stream (
    id         integer primary key,
    kind       text    not null,
    uuid       blob    not null,
    revision   integer not null,
    last_event blob    not null,
    unique (uuid, kind)
) strict;

-- Commands that were done, so that a repetition gets the first one's answer.
create table command (
    id         blob    not null primary key,
    digest     blob    not null,
    first      integer not null,
    last       integer not null,
    reply      blob,
    expires_at integer not null
) strict, without rowid;
create index command_by_expiry on command (expires_at);
