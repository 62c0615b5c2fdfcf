-- Whose referral code it is; the code is made from the person's id under the log's secret.
create table referral_code (
  code text collate "C" primary key,
  user_id text collate "C" not null
);
