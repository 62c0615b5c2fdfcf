-- What is known at Stripe, by the account's publishable key: a person's customer there, and up to when its events were taken in.
create table customer (account text not null, subject text not null, customer_id text not null, primary key (account, subject)) strict;
create table progress (account text primary key, created_s integer not null) strict;
