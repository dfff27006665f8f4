-- outside a transaction
-- For the pages of the team list, by name. A name of 10,000 characters does not fit an index; its beginning does.
create index concurrently if not exists teams_by_name_prefix on teams (project_id, left(lower(display_name), 200), id);
