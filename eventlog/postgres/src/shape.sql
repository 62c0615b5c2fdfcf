-- The shapes of events that the log holds, so that a program knows at its start whether it can read them all.

create table shape (
    kind           text   not null,
    event_type     text   not null,
    schema_version bigint not null,
    primary key (kind, event_type, schema_version)
);
insert into shape select distinct kind, event_type, schema_version from event;
