-- Enquiries whose frozen price is not over: who is told when their home asks less.
create table price_lock (lead_id text collate "C" primary key, home_id text collate "C" not null, until_ms bigint not null);
create index price_lock_home on price_lock (home_id);
