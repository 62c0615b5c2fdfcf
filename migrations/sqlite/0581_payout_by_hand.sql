-- Whether a person sent a payout: of such a one the provider does not say which movements it holds.
alter table provider_payout add column is_by_hand integer;
