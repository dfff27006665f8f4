-- Sign-in with providers: flows on their way, the codes that they end in, and the tokens that providers give.

create table oauth_flows (
  project_id text not null references projects (id) on delete cascade,
  -- SHA-256 of the state that the provider carries back
  state_hash bytea not null,
  provider_id text not null,
  -- what the app asked for, and the verifier of the inner flow: encrypted
  request bytea not null,
  created_at_millis bigint not null,
  primary key (project_id, state_hash)
);

-- Without the project: a provider sends back the state and nothing else of ours.
create unique index oauth_flows_state on oauth_flows (state_hash);
create index oauth_flows_by_age on oauth_flows (created_at_millis);

create table oauth_authorization_codes (
  project_id text not null,
  code_hash bytea not null,
  user_id uuid not null,
  provider_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  is_new_user boolean not null,
  after_callback_redirect_url text,
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  used_at_millis bigint,
  -- what it gave: a session, or an attempt at the second factor
  session_id uuid,
  attempt_id uuid,
  primary key (project_id, code_hash),
  constraint oauth_authorization_codes_user foreign key (project_id, user_id)
    references users (project_id, id) on delete cascade
);

create index oauth_authorization_codes_by_age on oauth_authorization_codes (created_at_millis);
create index oauth_authorization_codes_of_user on oauth_authorization_codes (project_id, user_id);

create table oauth_tokens (
  project_id text not null,
  id uuid not null,
  provider_id text not null,
  account_id text not null,
  kind text not null check (kind in ('access', 'refresh')),
  -- encrypted
  token bytea not null,
  scopes text[] not null,
  -- of an access token
  expires_at_millis bigint,
  created_at_millis bigint not null,
  primary key (project_id, id),
  constraint oauth_tokens_account foreign key (project_id, provider_id, account_id)
    references oauth_accounts (project_id, provider_id, account_id) on delete cascade
);

create index oauth_tokens_of_account on oauth_tokens (project_id, provider_id, account_id, created_at_millis desc);
