-- outside a transaction
-- For the purge of challenges, which are kept for an hour after they expire, while other codes are kept for a month.
create index concurrently if not exists challenges_by_expiry on one_time_codes (expires_at_millis)
  where kind in ('passkey_registration', 'passkey_authentication', 'mfa_attempt');
