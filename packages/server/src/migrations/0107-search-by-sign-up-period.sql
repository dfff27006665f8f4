-- outside a transaction
-- A search for a word that thousands of users have reads the users of a few periods of sign-up. The periods have a length of
-- 1, 8, 64, 512 and 4096 hours.
create index concurrently if not exists users_search_by_period on users using gin (search gin_trgm_ops, (array[
  signed_up_at_millis / 3600000,
  signed_up_at_millis / 28800000 + 1000000000000,
  signed_up_at_millis / 230400000 + 2000000000000,
  signed_up_at_millis / 1843200000 + 3000000000000,
  signed_up_at_millis / 14745600000 + 4000000000000
]));
