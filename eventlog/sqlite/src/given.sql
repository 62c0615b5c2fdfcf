-- Who was given which key of the stock: written with the first event that is sealed under it, and kept for ever.

create table if not exists key_given (
    subject blob not null primary key,
    key_id  blob not null unique
) strict, without rowid;
