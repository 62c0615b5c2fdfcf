-- The books: postings of the payment provider's movements beside those of payments, whose payment_id is empty.
alter table ledger_line add column source text collate "C";
create index ledger_line_account on ledger_line (account, currency, position);
create index ledger_line_source on ledger_line (source);

-- What the provider told last of each movement and payout: the next telling posts the difference.
create table book_source (
  source_id text collate "C" primary key,
  state text collate "C" not null
);

-- When the provider's account was found to hold a repeated notice's money once.
alter table gateway_notice add column checked_at text collate "C";
alter table gateway_notice add column stream_id text collate "C";
create index gateway_notice_stream on gateway_notice (stream_id);
