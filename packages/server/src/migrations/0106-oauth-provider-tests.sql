-- Results of provider tests, which admins begin in the dashboard. Kept for minutes.
create table oauth_provider_tests (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  provider_id text not null,
  -- the person who began the test, a user of `internal`; null when a key began it
  tester_id uuid,
  -- the account or the failure: encrypted
  outcome bytea not null,
  created_at_millis bigint not null,
  primary key (project_id, id)
);

create index oauth_provider_tests_by_age on oauth_provider_tests (created_at_millis);
