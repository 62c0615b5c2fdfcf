-- The log. Times are microseconds UTC, hashes are 32 bytes. Rows of `event` are only ever added.

create table event (
    position       bigint   primary key,
    stream         bigint   not null,
    kind           text     not null,
    revision       bigint   not null,
    event_id       uuid     not null unique,
    event_type     text     not null,
    schema_version bigint   not null,
    recorded_at    bigint   not null,
    occurred_at    bigint   not null,
    actor_kind     smallint not null,
    actor_id       uuid,
    command_id     uuid,
    correlation_id uuid     not null,
    causation_id   uuid,
    subject_id     uuid,
    codec          text     not null,
    payload        bytea    not null,
    sealed         bytea,
    payload_digest bytea    not null,
    sealed_digest  bytea,
    leaf           bytea    not null,
    chain          bytea    not null,
    unique (stream, revision)
);
create index event_by_type on event (event_type, position);
create index event_by_correlation on event (correlation_id);
create index event_by_subject on event (subject_id) where subject_id is not null;

-- The end of the log, so that a tail cut off is noticed. Whoever writes holds this row's lock first, on whichever node.
create table log_head (
    "only"   bigint primary key check ("only" = 1),
    position bigint not null,
    chain    bytea  not null
);
insert into log_head values (1, 0, decode(repeat('00', 32), 'hex'));

-- A short key inside for every stream's name outside, in the order of first events.
create table stream (
    id         bigint primary key,
    kind       text   not null,
    uuid       uuid   not null,
    revision   bigint not null,
    last_event uuid   not null,
    unique (uuid, kind)
);

-- Commands that were done, so that a repetition gets the first one's answer.
create table command (
    id         uuid   primary key,
    digest     bytea  not null,
    first      bigint not null,
    last       bigint not null,
    reply      bytea,
    expires_at bigint not null
);
create index command_by_expiry on command (expires_at);
