-- Times are milliseconds since the epoch, as on the wire. Every key leads with the project, so that the schema can be
-- distributed by it. Metadata is `json`, not `jsonb`: the text stays as the caller wrote it, key order included.

create table projects (
  id text primary key,
  display_name text not null,
  description text not null default '',
  is_production_mode boolean not null default false,
  config json not null,
  signing_key_generation integer not null default 1,
  created_at_millis bigint not null
);

create table api_key_sets (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  description text not null,
  -- SHA-256: the keys carry 224 random bits, or are the operator's own choice from the environment
  publishable_client_key_hash bytea,
  secret_server_key_hash bytea,
  super_secret_admin_key_hash bytea,
  publishable_client_key_last_four text,
  secret_server_key_last_four text,
  super_secret_admin_key_last_four text,
  -- 'environment' and 'generated' sets are kept by the installation itself
  source text not null check (source in ('project', 'environment', 'generated')),
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  manually_revoked_at_millis bigint,
  primary key (project_id, id)
);

create table users (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  display_name text,
  profile_image_url text,
  client_metadata json,
  client_read_only_metadata json,
  server_metadata json,
  password_hash text,
  otp_auth_enabled boolean not null default false,
  -- encrypted under the installation's key; null when no second factor is asked
  totp_secret bytea,
  is_anonymous boolean not null default false,
  signed_up_at_millis bigint not null,
  primary key (project_id, id)
);

create table contact_channels (
  project_id text not null,
  id uuid not null,
  user_id uuid not null,
  type text not null check (type = 'email'),
  -- normalised: lower case
  value text not null,
  is_primary boolean not null default false,
  is_verified boolean not null default false,
  used_for_auth boolean not null default false,
  created_at_millis bigint not null,
  primary key (project_id, id),
  constraint contact_channels_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade,
  constraint contact_channels_once_per_user unique (project_id, user_id, type, value)
);

create unique index contact_channels_used_for_auth on contact_channels (project_id, type, value) where used_for_auth;
create unique index contact_channels_primary on contact_channels (project_id, user_id, type) where is_primary;

create table sessions (
  project_id text not null,
  id uuid not null,
  user_id uuid not null,
  refresh_token_hash bytea not null,
  is_impersonation boolean not null default false,
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  primary key (project_id, id),
  constraint sessions_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade,
  constraint sessions_refresh_token unique (project_id, refresh_token_hash)
);

create index sessions_of_user on sessions (project_id, user_id, created_at_millis);

create table one_time_codes (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  kind text not null,
  code_hash bytea not null,
  -- of the characters after the typed ones: attempts count for every code that shares them
  nonce_hash bytea not null,
  user_id uuid,
  -- the address a code was sent to, normalised; null for codes that are not sent
  address text,
  data json not null,
  attempts integer not null default 0,
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  used_at_millis bigint,
  primary key (project_id, id),
  constraint one_time_codes_code unique (project_id, code_hash),
  constraint one_time_codes_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade
);

create index one_time_codes_nonce on one_time_codes (project_id, nonce_hash);
create index one_time_codes_address on one_time_codes (project_id, kind, address, created_at_millis);
create index one_time_codes_of_user on one_time_codes (project_id, user_id);

create table mails (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  template text not null,
  recipient text not null,
  -- variables of the template, links with codes among them: encrypted, erased after delivery
  variables bytea,
  created_at_millis bigint not null,
  primary key (project_id, id)
);

-- Append-only. Last activity, metrics and the audit log are read from here.
create table events (
  project_id text not null references projects (id) on delete cascade,
  id bigint generated always as identity,
  kind text not null,
  user_id uuid,
  session_id uuid,
  data json,
  at_millis bigint not null,
  primary key (project_id, id)
);

create index events_of_user on events (project_id, user_id, kind, at_millis);
create index events_of_session on events (project_id, session_id, kind, at_millis);

-- One row: who owns the installation.
create table installation (
  only_row boolean primary key default true check (only_row),
  owner_user_id uuid,
  demo_project_id text
);

insert into installation default values;
