-- A saved segment tells its owner by mail when it grows, and how many leads the owner knows of.
alter table lead_view add column has_alarm integer not null default 0;
alter table lead_view add column alarm_count integer not null default 0;
