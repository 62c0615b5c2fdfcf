-- The link of a mail that its reader can end with one press (RFC 8058), until the mail is gone.
alter table message add column unsubscribe text;
