-- outside a transaction
-- For the counters of an account over all address blocks: they are the keys with one beginning.
create index concurrently if not exists rate_limits_of_failed_sign_ins on rate_limits (key text_pattern_ops)
  where key like 'failedSignInsPerAccount:%';
