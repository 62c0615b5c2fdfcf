-- When each lead first reached the steps that the desk's report counts, in milliseconds since 1970: one row a lead, so that a report over
-- many leads adds up in the database (G18).
create table lead_reach (
  lead_id text primary key,
  enquired integer,
  answered integer,
  form_started integer,
  form_completed integer,
  payment_started integer,
  booked integer
) strict;
create index lead_reach_enquired on lead_reach (enquired);
