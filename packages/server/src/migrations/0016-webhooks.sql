-- Webhooks: who is told, what has to be told to whom, and how each attempt went.

create table webhook_endpoints (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  -- the owner's own name for it
  uid text,
  url text not null,
  description text not null,
  -- null means every event
  filter_types text[],
  is_disabled boolean not null,
  metadata json not null,
  version integer not null,
  -- encrypted: the keys that sign, newest first, older ones with the time at which they stop
  secrets bytea not null,
  -- since when no attempt has succeeded; null after a success
  failing_since_millis bigint,
  created_at_millis bigint not null,
  updated_at_millis bigint not null,
  -- a deleted endpoint stays until its deliveries are gone: there may be too many for one statement
  deleted_at_millis bigint,
  primary key (project_id, id)
);

create unique index webhook_endpoints_uid on webhook_endpoints (project_id, uid) where deleted_at_millis is null;
-- asked by every event
create index webhook_endpoints_listening on webhook_endpoints (project_id) where not is_disabled and deleted_at_millis is null;

-- asked by the purge
create index webhook_endpoints_deleted on webhook_endpoints (deleted_at_millis) where deleted_at_millis is not null;

create table webhook_deliveries (
  project_id text not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  status text not null check (status in ('pending', 'success', 'fail')),
  -- those that the schedule made, not those that people asked for
  attempts integer not null,
  next_attempt_at_millis bigint,
  created_at_millis bigint not null,
  primary key (project_id, event_id, endpoint_id),
  -- No reference to the endpoint: each insert would lock its row, the same one for all of them.
  constraint webhook_deliveries_event foreign key (project_id, event_id)
    references webhook_events (project_id, id) on delete cascade
);

create index webhook_deliveries_of_endpoint on webhook_deliveries (project_id, endpoint_id, created_at_millis, event_id);

create table webhook_attempts (
  project_id text not null,
  id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  is_success boolean not null,
  is_manual boolean not null,
  -- 0 when there was no answer
  answer_status integer not null,
  -- the beginning of the answer, or why there was none
  answer text not null,
  duration_ms integer not null,
  at_millis bigint not null,
  primary key (project_id, id),
  constraint webhook_attempts_delivery foreign key (project_id, event_id, endpoint_id)
    references webhook_deliveries (project_id, event_id, endpoint_id) on delete cascade
);

create index webhook_attempts_of_endpoint on webhook_attempts (project_id, endpoint_id, at_millis, id);
create index webhook_attempts_of_event on webhook_attempts (project_id, event_id, endpoint_id, at_millis, id);
