-- What a home itself is called in other languages, beside its room and its city (D132); filled by the next fold of the log.
alter table listing_wording add column property text;
