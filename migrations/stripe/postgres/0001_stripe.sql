-- What is known at Stripe, by the account's publishable key: a person's customer there, and up to when its events were taken in.
create table customer (account text collate "C" not null, subject text collate "C" not null, customer_id text collate "C" not null, primary key (account, subject));
create table progress (account text collate "C" primary key, created_s bigint not null);
