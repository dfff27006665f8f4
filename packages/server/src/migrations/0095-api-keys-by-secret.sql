-- outside a transaction
-- Every unique index contains the project id, so that the rows of a project can lie on one shard. The secret stays first:
-- the report of a leaked key knows no project.
create unique index concurrently if not exists api_keys_by_secret on api_keys (secret_hash, project_id);
