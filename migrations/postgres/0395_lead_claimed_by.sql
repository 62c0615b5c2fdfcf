-- The account that sent the lead with a login, or claimed it since; null while unclaimed, and for claims from before.
alter table lead_board add column claimed_by text collate "C";
create index lead_board_claimed_by on lead_board (claimed_by);
