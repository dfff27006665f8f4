-- outside a transaction
-- Refused names of more than 2,700 bytes. Replaced by teams_by_name_prefix.
drop index concurrently if exists teams_by_name;
