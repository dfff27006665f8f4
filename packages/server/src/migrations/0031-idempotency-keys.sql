-- Writes that were sent with an idempotency key. The first insert runs the write; a repeated request finds the row.
create table idempotency_keys (
  project_id text not null references projects (id) on delete cascade,
  -- SHA-256 of the key, the caller's credential and the route
  scope_hash bytea not null,
  -- SHA-256 of parameters, query and body
  request_hash bytea not null,
  started_at_millis bigint not null,
  -- encrypted; null while the write runs, and for ever when its process was interrupted
  response bytea,
  primary key (project_id, scope_hash)
);

create index idempotency_keys_started on idempotency_keys (started_at_millis);
