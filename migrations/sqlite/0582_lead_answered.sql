-- A lead is answered once a colleague's message or call has reached its student, whoever owns it.
create table lead_board_case (
  case_id text primary key,
  lead_id text not null
) without rowid;
drop index lead_board_waits;
create index lead_board_waits on lead_board (created_at)
  where answered = 0 and status not in ('booked', 'completed', 'cancelled', 'lost');
create index lead_board_answered on lead_board (status)
  where answered = 1 and status not in ('booked', 'completed', 'cancelled', 'lost');
