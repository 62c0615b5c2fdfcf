-- When a payment changed last: one that could not be begun is news by then, whenever it was opened.
alter table payment_page add column changed_at text collate "C" not null default '';
