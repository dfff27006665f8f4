-- outside a transaction
-- For the pages of the team list, by creation time.
create index concurrently if not exists teams_by_time on teams (project_id, created_at_millis, id);
