-- outside a transaction
-- For the check of API keys: few users are suspended, so a lookup costs nearly nothing.
create index concurrently if not exists users_suspended on users (project_id, id) where suspended_at_millis is not null;
