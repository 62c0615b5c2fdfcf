-- What the last payment of a lead came to (declined, pending, disputed), and when its hold ends, in milliseconds since 1970.
alter table lead_board add column payment_state text;
alter table lead_board add column hold_until integer;
-- `held` while the lead's referral waits for a review.
alter table lead_board add column referral text;
