-- outside a transaction
-- For the search in the team list.
create index concurrently if not exists teams_search on teams using gin (lower(display_name) gin_trgm_ops);
