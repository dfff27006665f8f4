-- Counts the changes of a project's permission definitions: whoever remembers them asks at each use whether they still hold.
alter table projects add column permission_generation integer not null default 0;

-- Shown by an extension endpoint only; written at most once a minute.
alter table api_keys add column last_used_at_millis bigint;
