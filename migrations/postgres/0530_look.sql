-- Who of staff looked at whose personal data, and at what; the reason is read from the event itself.
create table look (
  position bigint primary key,
  looked_at text collate "C" not null,
  until text collate "C" not null,
  person_id text collate "C" not null,
  lead_id text collate "C" not null,
  by_id text collate "C" not null,
  what text collate "C"
);
create index look_person on look (person_id, position);
create index look_lead on look (lead_id, position);
create index look_by on look (by_id, position);
