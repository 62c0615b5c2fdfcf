-- Why a notice of the payment provider waits for a person, and the payment that it named.
alter table unknown_notice add column set_aside text;
alter table unknown_notice add column named_id text;
