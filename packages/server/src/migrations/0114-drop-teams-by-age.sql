-- outside a transaction
-- The same as teams_by_time.
drop index concurrently if exists teams_by_age;
