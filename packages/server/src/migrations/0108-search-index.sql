-- outside a transaction
-- Replaced by users_search_by_period, which finds texts as well.
drop index concurrently if exists users_search;
