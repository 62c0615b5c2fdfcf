-- Less is written with every event (decision 0004): where a stream stands is what its last event says, and when a command id
-- expires is looked up by whoever tidies up.

create table stream_by_name (
    id   integer primary key,
    kind text    not null,
    uuid blob    not null,
    unique (uuid, kind)
) strict;
insert into stream_by_name select id, kind, uuid from stream;
drop table stream;
alter table stream_by_name rename to stream;
drop index if exists command_by_expiry;
