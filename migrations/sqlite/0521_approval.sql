-- What one member of staff asks for and another decides.
create table approval (
  approval_id text primary key,
  kind text not null,
  payment_id text,
  item text,
  asked_at text not null,
  decision text,
  decided_at text
) strict, without rowid;
create index approval_open on approval (decision, asked_at);
create index approval_payment on approval (payment_id);
create index approval_item on approval (item);
