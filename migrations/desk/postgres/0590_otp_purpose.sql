-- The one thing that a code is good for. Those under way were asked for to log in.
alter table otp add column purpose text collate "C" not null default 'login';
