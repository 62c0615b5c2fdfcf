-- Enquiries whose frozen price is not over: who is told when their home asks less.
create table price_lock (lead_id text primary key, home_id text not null, until_ms integer not null) strict;
create index price_lock_home on price_lock (home_id);
