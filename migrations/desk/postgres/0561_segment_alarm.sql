-- A saved segment tells its owner by mail when it grows, and how many leads the owner knows of.
alter table lead_view add column has_alarm bigint not null default 0;
alter table lead_view add column alarm_count bigint not null default 0;
