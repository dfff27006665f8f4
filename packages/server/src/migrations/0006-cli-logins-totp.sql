-- Logins of command-line programs: begun there, completed in a browser, picked up once.
create table cli_logins (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  polling_code_hash bytea not null,
  login_code_hash bytea not null,
  -- encrypted; erased when it is picked up
  refresh_token bytea,
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  completed_at_millis bigint,
  used_at_millis bigint,
  primary key (project_id, id),
  constraint cli_logins_polling_code unique (project_id, polling_code_hash),
  constraint cli_logins_login_code unique (project_id, login_code_hash)
);

-- The newest TOTP step that was accepted: a code counts once.
alter table users add column totp_last_step bigint;
