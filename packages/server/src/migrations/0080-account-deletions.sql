-- Accounts that their users have deleted and can still keep. A job deletes the users whose time has come.
create table account_deletions (
  project_id text not null,
  user_id uuid not null,
  requested_at_millis bigint not null,
  deletes_at_millis bigint not null,
  primary key (project_id, user_id),
  constraint account_deletions_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade
);
create index account_deletions_due on account_deletions (deletes_at_millis);
