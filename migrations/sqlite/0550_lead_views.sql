-- The views of the desk count leads at each look (G18): each count reads an index and no rows.
create index lead_board_owner on lead_board (owner, status) where owner is not null;
create index lead_board_waits on lead_board (created_at)
  where owner is null and status not in ('booked', 'completed', 'cancelled', 'lost');
create index lead_board_payment on lead_board (payment_state, payment_state_at) where payment_state is not null;
create index lead_board_hold on lead_board (hold_until) where hold_until is not null;
