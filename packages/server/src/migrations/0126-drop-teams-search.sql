-- outside a transaction
-- Replaced by teams_search_folded.
drop index concurrently if exists teams_search;
