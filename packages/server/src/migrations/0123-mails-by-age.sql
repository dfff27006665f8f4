-- outside a transaction
-- For the list of waiting emails of a project, newest first, and for the deletion of old ones.
create index concurrently if not exists mails_by_age on mails (project_id, created_at_millis desc, id desc);
