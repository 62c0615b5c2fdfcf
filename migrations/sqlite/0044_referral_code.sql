-- Whose referral code it is; the code is made from the person's id under the log's secret.
create table referral_code (
  code text primary key,
  user_id text not null
) without rowid;
