-- Whether somebody logged in sent the lead, or proved since that it is theirs. Leads from before are taken for claimed.
alter table lead_board add column is_claimed bigint not null default 1;
