-- outside a transaction
-- For the pages of the team list, by name.
create index concurrently if not exists teams_by_name on teams (project_id, lower(display_name), id);
