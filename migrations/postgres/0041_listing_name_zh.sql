-- The same in Chinese, where somebody wrote it (D132); filled by the next fold of the log.
alter table listing_name add column room_zh text collate "C";
alter table listing_name add column city_zh text collate "C";
alter table listing_region add column name_zh text collate "C";
