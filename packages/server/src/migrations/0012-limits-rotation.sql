-- Counters of attempts, shared by all processes. Named and shaped as rate-limiter-flexible wants them.
create table rate_limits (
  -- {limit}:{project}:{who}
  key text primary key,
  points integer not null default 0,
  expire bigint
);

-- Of what may be lost with the machine: nobody was promised anything by it.
create index rate_limits_by_expiry on rate_limits (expire);

-- Refresh tokens that have been exchanged for their successor, where a project rotates them: one that comes back later
-- was stolen, or its successor was.
create table rotated_refresh_tokens (
  project_id text not null,
  token_hash bytea not null,
  session_id uuid not null,
  rotated_at_millis bigint not null,
  primary key (project_id, token_hash),
  constraint rotated_refresh_tokens_session foreign key (project_id, session_id)
    references sessions (project_id, id) on delete cascade
);

create index rotated_refresh_tokens_of_session on rotated_refresh_tokens (project_id, session_id);

-- The key before the current one must live until its last token has expired, so rotations keep a distance.
alter table projects add column signing_key_rotated_at_millis bigint;

-- For the purge, which looks after all projects at once.
create index sessions_by_expiry on sessions (expires_at_millis);
create index one_time_codes_by_expiry on one_time_codes (expires_at_millis);
create index cli_logins_by_expiry on cli_logins (expires_at_millis);
create index rotated_refresh_tokens_by_age on rotated_refresh_tokens (rotated_at_millis);
