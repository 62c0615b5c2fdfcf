-- The subjects' keys and the secret of look-ups, in a database or schema that is not the log's.

-- A row without a key is a subject that was forgotten.
create table subject_key (
    subject uuid primary key,
    key     bytea
);

-- Grows with every key that is destroyed, so that every node lets go of what it holds in memory.
create table key_change (
    "only"    bigint primary key check ("only" = 1),
    destroyed bigint not null
);
insert into key_change values (1, 0);

create table look_up_secret (
    "only" bigint primary key check ("only" = 1),
    secret bytea  not null
);
