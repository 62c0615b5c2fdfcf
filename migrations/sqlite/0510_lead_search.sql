-- When a lead's person moves in, as a span of days; the place of a lead without a home; and since when its payment stands as it does,
-- in milliseconds since 1970.
alter table lead_board add column region_id text;
alter table lead_board add column move_in_from text;
alter table lead_board add column move_in_to text;
alter table lead_board add column payment_state_at integer;
