-- Accounts at OAuth providers, by which users sign in or to which they are connected.

create table oauth_accounts (
  project_id text not null,
  provider_id text not null,
  -- at the provider
  account_id text not null,
  user_id uuid not null,
  email text,
  created_at_millis bigint not null,
  -- identity is (provider, subject), never the address
  constraint oauth_accounts_identity primary key (project_id, provider_id, account_id),
  constraint oauth_accounts_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade
);

create index oauth_accounts_of_user on oauth_accounts (project_id, user_id);
