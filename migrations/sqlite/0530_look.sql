-- Who of staff looked at whose personal data, and at what; the reason is read from the event itself.
create table look (
  position integer primary key,
  looked_at text not null,
  until text not null,
  person_id text not null,
  lead_id text not null,
  by_id text not null,
  what text
) strict, without rowid;
create index look_person on look (person_id, position);
create index look_lead on look (lead_id, position);
create index look_by on look (by_id, position);
