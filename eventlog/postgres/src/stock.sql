-- Keys made in advance, until it is known here whose they became.

create table if not exists stock_key (
    id  uuid  primary key,
    key bytea not null
);
