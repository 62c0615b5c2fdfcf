-- What a notice says is sealed under its payer's key and read from its event when it is shown.
alter table unknown_notice drop column amount_minor;
alter table unknown_notice drop column currency;
alter table unknown_notice drop column told_at;
alter table unknown_notice drop column metadata;
