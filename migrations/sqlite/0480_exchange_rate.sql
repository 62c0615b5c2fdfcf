-- By which rate the provider settled a charge of another currency, as the provider wrote it.
alter table provider_line add column exchange_rate text;
