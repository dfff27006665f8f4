-- outside a transaction
-- For the sessions that a person opened. The project is not in the index: a deleted account ends those of all projects.
create index concurrently if not exists sessions_by_opener on sessions (opener_id) where opener_id is not null;
