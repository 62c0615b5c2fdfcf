-- What one member of staff asks for and another decides.
create table approval (
  approval_id text collate "C" primary key,
  kind text collate "C" not null,
  payment_id text collate "C",
  item text collate "C",
  asked_at text collate "C" not null,
  decision text collate "C",
  decided_at text collate "C"
);
create index approval_open on approval (decision, asked_at);
create index approval_payment on approval (payment_id);
create index approval_item on approval (item);
