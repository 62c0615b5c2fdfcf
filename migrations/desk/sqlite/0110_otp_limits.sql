-- Codes per country in a day: the bill of text messages has an end (T2).
alter table otp_send add column country text not null default '';
create index otp_send_country on otp_send (country, at);
-- Tries by somebody who does not hold the session of a code: they never use up its owner's (T6).
alter table otp add column blind_tries integer not null default 0;
