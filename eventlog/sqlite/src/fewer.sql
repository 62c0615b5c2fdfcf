-- Indexes that nothing in the program asks: every event paid for them (decision 0004).

drop index if exists event_by_type;
drop index if exists event_by_subject;
