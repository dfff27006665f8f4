-- The schema after migration 0126-drop-teams-search.sql, with which an empty database begins.
-- Generated: npx vitest run --project server src/test/schema.test.ts -u
-- The tables of the job queue are not ours: graphile-worker creates them in a schema of its own.

set local check_function_bodies = off;

create extension if not exists btree_gin;
create extension if not exists pg_trgm;

create table account_deletions (
  project_id text not null,
  user_id uuid not null,
  requested_at_millis bigint not null,
  deletes_at_millis bigint not null,
  constraint account_deletions_pkey PRIMARY KEY (project_id, user_id)
);

create table api_key_sets (
  project_id text not null,
  id uuid not null,
  description text not null,
  publishable_client_key_hash bytea,
  secret_server_key_hash bytea,
  super_secret_admin_key_hash bytea,
  publishable_client_key_last_four text,
  secret_server_key_last_four text,
  super_secret_admin_key_last_four text,
  source text not null,
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  manually_revoked_at_millis bigint,
  last_used_at_millis bigint,
  constraint api_key_sets_pkey PRIMARY KEY (project_id, id),
  constraint api_key_sets_source_check CHECK ((source = ANY (ARRAY['project'::text, 'environment'::text, 'generated'::text])))
);

create table api_keys (
  project_id text not null,
  id uuid not null,
  user_id uuid,
  team_id uuid,
  description text not null,
  secret_hash bytea not null,
  last_four text not null,
  is_public boolean not null,
  created_at_millis bigint not null,
  expires_at_millis bigint,
  manually_revoked_at_millis bigint,
  last_used_at_millis bigint,
  scopes text[],
  constraint api_keys_owner CHECK (((user_id IS NULL) <> (team_id IS NULL))),
  constraint api_keys_pkey PRIMARY KEY (project_id, id)
);

create table audit_events (
  project_id text not null,
  at_millis bigint not null,
  id uuid not null,
  action text not null,
  actor_type text not null,
  actor_id uuid,
  user_id uuid,
  subject_type text,
  subject_id text,
  address text,
  user_agent text,
  details json,
  before json,
  after json,
  trace_id text,
  constraint audit_events_pkey PRIMARY KEY (project_id, at_millis, id)
);

create table caught_mails (
  project_id text not null,
  id uuid not null,
  message bytea not null,
  caught_at_millis bigint not null,
  constraint caught_mails_pkey PRIMARY KEY (project_id, id)
);

create table cli_logins (
  project_id text not null,
  id uuid not null,
  polling_code_hash bytea not null,
  login_code_hash bytea not null,
  refresh_token bytea,
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  completed_at_millis bigint,
  used_at_millis bigint,
  constraint cli_logins_login_code UNIQUE (project_id, login_code_hash),
  constraint cli_logins_pkey PRIMARY KEY (project_id, id),
  constraint cli_logins_polling_code UNIQUE (project_id, polling_code_hash)
);

create table contact_channels (
  project_id text not null,
  id uuid not null,
  user_id uuid not null,
  type text not null,
  value text not null,
  is_primary boolean not null default false,
  is_verified boolean not null default false,
  used_for_auth boolean not null default false,
  created_at_millis bigint not null,
  constraint contact_channels_once_per_user UNIQUE (project_id, user_id, type, value),
  constraint contact_channels_pkey PRIMARY KEY (project_id, id),
  constraint contact_channels_type_check CHECK ((type = 'email'::text))
);

create table email_templates (
  project_id text not null,
  type text not null,
  subject text not null,
  content json not null,
  constraint email_templates_pkey PRIMARY KEY (project_id, type)
);

create table ended_sessions (
  project_id text not null,
  session_id uuid not null,
  ended_at timestamp with time zone not null default clock_timestamp(),
  transaction_id xid8 not null default pg_current_xact_id(),
  constraint ended_sessions_pkey PRIMARY KEY (project_id, session_id)
);

create table events (
  project_id text not null,
  id bigint not null generated always as identity,
  kind text not null,
  user_id uuid,
  session_id uuid,
  data json,
  at_millis bigint not null,
  address text,
  country_code text,
  constraint events_pkey PRIMARY KEY (project_id, id)
);

create table idempotency_keys (
  project_id text not null,
  scope_hash bytea not null,
  request_hash bytea not null,
  started_at_millis bigint not null,
  response bytea,
  constraint idempotency_keys_pkey PRIMARY KEY (project_id, scope_hash)
);

create table images (
  project_id text not null,
  hash bytea not null,
  content bytea not null,
  stored_at_millis bigint not null,
  constraint images_pkey PRIMARY KEY (project_id, hash)
);

create table installation (
  only_row boolean not null default true,
  owner_user_id uuid,
  demo_project_id text,
  secret_check bytea,
  constraint installation_only_row_check CHECK (only_row),
  constraint installation_pkey PRIMARY KEY (only_row)
);

create table mail_bodies (
  project_id text not null,
  id uuid not null,
  sealed bytea not null,
  constraint mail_bodies_pkey PRIMARY KEY (project_id, id)
);

create table mails (
  project_id text not null,
  id uuid not null,
  template text not null,
  recipient text not null,
  variables bytea,
  created_at_millis bigint not null,
  attempts integer not null default 0,
  user_id uuid,
  body_id uuid,
  counts_in_quota boolean not null default false,
  message_id uuid,
  failed_at_millis bigint,
  next_attempt_at_millis bigint,
  constraint mails_pkey PRIMARY KEY (project_id, id)
);

create table message_counts (
  project_id text not null,
  message_id uuid not null,
  accepted integer not null default 0,
  constraint message_counts_pkey PRIMARY KEY (project_id, message_id)
);

create table messages (
  project_id text not null,
  id uuid not null,
  created_at_millis bigint not null,
  sealed bytea not null,
  category_id uuid not null,
  audience json not null,
  actor_type text not null,
  actor_id uuid,
  state text not null default 'sending'::text,
  recipients integer not null,
  queued integer not null default 0,
  last_user_id uuid,
  constraint messages_pkey PRIMARY KEY (project_id, id),
  constraint messages_state CHECK ((state = ANY (ARRAY['sending'::text, 'sent'::text, 'canceled'::text])))
);

create table metric_active_days (
  project_id text not null,
  day integer not null,
  user_id uuid not null,
  constraint metric_active_days_pkey PRIMARY KEY (project_id, day, user_id)
);

create table metric_changes (
  project_id text not null,
  kind text not null,
  key text not null,
  change bigint not null
);

create table metric_counts (
  project_id text not null,
  kind text not null,
  key text not null,
  value bigint not null,
  constraint metric_counts_pkey PRIMARY KEY (project_id, kind, key)
);

create table metric_progress (
  only_row boolean not null default true,
  added_up_id bigint not null default 0,
  safe_id bigint not null default 0,
  waiting_id bigint not null default 0,
  waiting_xid xid8,
  seen_id bigint not null default 0,
  constraint metric_progress_only_row_check CHECK (only_row),
  constraint metric_progress_pkey PRIMARY KEY (only_row)
);

create table metric_users (
  project_id text not null,
  user_id uuid not null,
  last_active_at_millis bigint not null,
  country text,
  country_at_millis bigint,
  constraint metric_users_pkey PRIMARY KEY (project_id, user_id)
);

create table migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

create table notification_preferences (
  project_id text not null,
  user_id uuid not null,
  category_id uuid not null,
  is_enabled boolean not null,
  constraint notification_preferences_pkey PRIMARY KEY (project_id, user_id, category_id)
);

create table oauth_accounts (
  project_id text not null,
  provider_id text not null,
  account_id text not null,
  user_id uuid not null,
  email text,
  created_at_millis bigint not null,
  display_name text,
  constraint oauth_accounts_identity PRIMARY KEY (project_id, provider_id, account_id)
);

create table oauth_authorization_codes (
  project_id text not null,
  code_hash bytea not null,
  user_id uuid,
  provider_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  is_new_user boolean not null,
  after_callback_redirect_url text,
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  used_at_millis bigint,
  session_id uuid,
  attempt_id uuid,
  provider_sign_in bytea,
  constraint oauth_authorization_codes_pkey PRIMARY KEY (project_id, code_hash)
);

create table oauth_flows (
  project_id text not null,
  state_hash bytea not null,
  provider_id text not null,
  request bytea not null,
  created_at_millis bigint not null,
  user_id uuid,
  constraint oauth_flows_pkey PRIMARY KEY (project_id, state_hash)
);

create table oauth_provider_tests (
  project_id text not null,
  id uuid not null,
  provider_id text not null,
  tester_id uuid,
  outcome bytea not null,
  created_at_millis bigint not null,
  constraint oauth_provider_tests_pkey PRIMARY KEY (project_id, id)
);

create table oauth_tokens (
  project_id text not null,
  id uuid not null,
  provider_id text not null,
  account_id text not null,
  kind text not null,
  token bytea not null,
  scopes text[] not null,
  expires_at_millis bigint,
  created_at_millis bigint not null,
  constraint oauth_tokens_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text]))),
  constraint oauth_tokens_pkey PRIMARY KEY (project_id, id)
);

create table one_time_codes (
  project_id text not null,
  id uuid not null,
  kind text not null,
  code_hash bytea not null,
  nonce_hash bytea not null,
  user_id uuid,
  address text,
  data json not null,
  attempts integer not null default 0,
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  used_at_millis bigint,
  constraint one_time_codes_code UNIQUE (project_id, code_hash),
  constraint one_time_codes_pkey PRIMARY KEY (project_id, id)
);

create table passkeys (
  project_id text not null,
  credential_id text not null,
  user_id uuid not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  device_type text not null,
  is_backed_up boolean not null,
  is_user_verified boolean not null,
  created_at_millis bigint not null,
  last_used_at_millis bigint,
  aaguid uuid,
  user_agent text,
  name text,
  constraint passkeys_credential PRIMARY KEY (project_id, credential_id)
);

create table permission_definitions (
  project_id text not null,
  id text not null,
  scope text not null,
  description text not null default ''::text,
  contained_permission_ids text[] not null default '{}'::text[],
  constraint permission_definitions_id PRIMARY KEY (project_id, id),
  constraint permission_definitions_scope_check CHECK ((scope = ANY (ARRAY['team'::text, 'project'::text])))
);

create table project_members (
  project_id text not null,
  account_project_id text not null generated always as ('internal'::text) stored,
  user_id uuid not null,
  role text not null,
  created_at_millis bigint not null,
  constraint project_members_pkey PRIMARY KEY (project_id, user_id),
  constraint project_members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'viewer'::text])))
);

create table project_permissions (
  project_id text not null,
  user_id uuid not null,
  permission_id text not null,
  constraint project_permissions_pkey PRIMARY KEY (project_id, user_id, permission_id)
);

create table projects (
  id text not null,
  display_name text not null,
  description text not null default ''::text,
  is_production_mode boolean not null default false,
  config json not null,
  signing_key_generation integer not null default 1,
  created_at_millis bigint not null,
  permission_generation integer not null default 0,
  signing_key_rotated_at_millis bigint,
  deleted_at_millis bigint,
  constraint projects_pkey PRIMARY KEY (id)
);

create table rate_limits (
  key text not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);

create table rotated_refresh_tokens (
  project_id text not null,
  token_hash bytea not null,
  session_id uuid not null,
  rotated_at_millis bigint not null,
  is_withdrawn boolean not null default false,
  constraint rotated_refresh_tokens_pkey PRIMARY KEY (project_id, token_hash)
);

create table schema_release (
  is_only boolean not null default true,
  version text not null,
  min_version text not null,
  constraint schema_release_is_only_check CHECK (is_only),
  constraint schema_release_pkey PRIMARY KEY (is_only)
);

create table sent_mails (
  project_id text not null,
  id uuid not null,
  recipients text[] not null,
  subject bytea not null,
  sender_config json not null,
  error json,
  sent_at_millis bigint not null,
  number bigint not null generated always as identity,
  user_id uuid,
  message_id uuid,
  mail_id uuid,
  template text,
  constraint sent_mails_pkey PRIMARY KEY (project_id, id)
);

create table sessions (
  project_id text not null,
  id uuid not null,
  user_id uuid not null,
  refresh_token_hash bytea not null,
  is_impersonation boolean not null default false,
  created_at_millis bigint not null,
  expires_at_millis bigint not null,
  user_agent text,
  authenticated_at_millis bigint,
  opener_id uuid,
  opener_session_id uuid,
  opened_for_user boolean not null default false,
  constraint sessions_pkey PRIMARY KEY (project_id, id),
  constraint sessions_refresh_token UNIQUE (project_id, refresh_token_hash)
);

create table sign_in_devices (
  project_id text not null,
  user_id uuid not null,
  device bytea not null,
  last_seen_at_millis bigint not null,
  constraint sign_in_devices_pkey PRIMARY KEY (project_id, user_id, device)
);

create table sign_in_sources (
  project_id text not null,
  user_id uuid not null,
  block text not null,
  last_success_at_millis bigint not null,
  constraint sign_in_sources_pkey PRIMARY KEY (project_id, user_id, block)
);

create table team_memberships (
  project_id text not null,
  team_id uuid not null,
  user_id uuid not null,
  display_name text,
  profile_image_url text,
  created_at_millis bigint not null,
  constraint team_memberships_pkey PRIMARY KEY (project_id, team_id, user_id)
);

create table team_permissions (
  project_id text not null,
  team_id uuid not null,
  user_id uuid not null,
  permission_id text not null,
  constraint team_permissions_pkey PRIMARY KEY (project_id, team_id, user_id, permission_id)
);

create table teams (
  project_id text not null,
  id uuid not null,
  display_name text not null,
  profile_image_url text,
  client_metadata json,
  client_read_only_metadata json,
  server_metadata json,
  created_at_millis bigint not null,
  constraint teams_pkey PRIMARY KEY (project_id, id)
);

create table users (
  project_id text not null,
  id uuid not null,
  display_name text,
  profile_image_url text,
  client_metadata json,
  client_read_only_metadata json,
  server_metadata json,
  password_hash text,
  otp_auth_enabled boolean not null default false,
  totp_secret bytea,
  is_anonymous boolean not null default false,
  signed_up_at_millis bigint not null,
  search text not null default ''::text,
  totp_last_step bigint,
  has_passkey boolean not null default false,
  primary_email text,
  primary_email_verified boolean not null default false,
  primary_email_used_for_auth boolean not null default false,
  selected_team_id uuid,
  last_active_at_millis bigint,
  may_have_oauth_accounts boolean not null default false,
  otp_auth_refused boolean not null default false,
  recovery_code_hashes bytea[],
  recovery_codes_created_at_millis bigint,
  suspended_at_millis bigint,
  suspension_reason text,
  constraint users_pkey PRIMARY KEY (project_id, id)
) with (fillfactor=85);

create table webhook_attempts (
  project_id text not null,
  id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  is_success boolean not null,
  is_manual boolean not null,
  answer_status integer not null,
  answer text not null,
  duration_ms integer not null,
  at_millis bigint not null,
  constraint webhook_attempts_pkey PRIMARY KEY (project_id, id)
);

create table webhook_deliveries (
  project_id text not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  status text not null,
  attempts integer not null,
  next_attempt_at_millis bigint,
  created_at_millis bigint not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (project_id, event_id, endpoint_id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'fail'::text])))
);

create table webhook_endpoints (
  project_id text not null,
  id uuid not null,
  uid text,
  url text not null,
  description text not null,
  filter_types text[],
  is_disabled boolean not null,
  metadata json not null,
  version integer not null,
  secrets bytea not null,
  failing_since_millis bigint,
  created_at_millis bigint not null,
  updated_at_millis bigint not null,
  deleted_at_millis bigint,
  constraint webhook_endpoints_pkey PRIMARY KEY (project_id, id)
);

create table webhook_events (
  project_id text not null,
  id uuid not null,
  type text not null,
  data json not null,
  created_at_millis bigint not null,
  constraint webhook_events_pkey PRIMARY KEY (project_id, id)
);

alter table images alter column content set storage external;
alter table users alter column search set statistics 1000;

alter table account_deletions add constraint account_deletions_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table api_key_sets add constraint api_key_sets_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table api_keys add constraint api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table api_keys add constraint api_keys_team FOREIGN KEY (project_id, team_id) REFERENCES teams(project_id, id) ON DELETE CASCADE;
alter table api_keys add constraint api_keys_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table caught_mails add constraint caught_mails_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table cli_logins add constraint cli_logins_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table contact_channels add constraint contact_channels_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table email_templates add constraint email_templates_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table idempotency_keys add constraint idempotency_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table images add constraint images_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table mail_bodies add constraint mail_bodies_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table mails add constraint mails_body FOREIGN KEY (project_id, body_id) REFERENCES mail_bodies(project_id, id) ON DELETE CASCADE;
alter table mails add constraint mails_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table mails add constraint mails_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table message_counts add constraint message_counts_message FOREIGN KEY (project_id, message_id) REFERENCES messages(project_id, id) ON DELETE CASCADE;
alter table messages add constraint messages_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table notification_preferences add constraint notification_preferences_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table oauth_accounts add constraint oauth_accounts_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table oauth_authorization_codes add constraint oauth_authorization_codes_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table oauth_flows add constraint oauth_flows_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table oauth_flows add constraint oauth_flows_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table oauth_provider_tests add constraint oauth_provider_tests_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table oauth_tokens add constraint oauth_tokens_account FOREIGN KEY (project_id, provider_id, account_id) REFERENCES oauth_accounts(project_id, provider_id, account_id) ON DELETE CASCADE;
alter table one_time_codes add constraint one_time_codes_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table one_time_codes add constraint one_time_codes_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table passkeys add constraint passkeys_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table permission_definitions add constraint permission_definitions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table project_members add constraint project_members_account FOREIGN KEY (account_project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table project_members add constraint project_members_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table project_permissions add constraint project_permissions_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table rotated_refresh_tokens add constraint rotated_refresh_tokens_session FOREIGN KEY (project_id, session_id) REFERENCES sessions(project_id, id) ON DELETE CASCADE;
alter table sent_mails add constraint sent_mails_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table sessions add constraint sessions_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table sign_in_devices add constraint sign_in_devices_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table sign_in_sources add constraint sign_in_sources_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table team_memberships add constraint team_memberships_team FOREIGN KEY (project_id, team_id) REFERENCES teams(project_id, id) ON DELETE CASCADE;
alter table team_memberships add constraint team_memberships_user FOREIGN KEY (project_id, user_id) REFERENCES users(project_id, id) ON DELETE CASCADE;
alter table team_permissions add constraint team_permissions_membership FOREIGN KEY (project_id, team_id, user_id) REFERENCES team_memberships(project_id, team_id, user_id) ON DELETE CASCADE;
alter table teams add constraint teams_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table users add constraint users_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table users add constraint users_selected_team FOREIGN KEY (project_id, selected_team_id, id) REFERENCES team_memberships(project_id, team_id, user_id) ON DELETE SET NULL (selected_team_id);
alter table webhook_attempts add constraint webhook_attempts_delivery FOREIGN KEY (project_id, event_id, endpoint_id) REFERENCES webhook_deliveries(project_id, event_id, endpoint_id) ON DELETE CASCADE;
alter table webhook_deliveries add constraint webhook_deliveries_event FOREIGN KEY (project_id, event_id) REFERENCES webhook_events(project_id, id) ON DELETE CASCADE;
alter table webhook_endpoints add constraint webhook_endpoints_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table webhook_events add constraint webhook_events_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;

CREATE OR REPLACE FUNCTION count_oauth_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into metric_changes (project_id, kind, key, change)
  select project_id, 'method', provider_id, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by project_id, provider_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION count_user_methods()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into metric_changes (project_id, kind, key, change)
  select new.project_id, 'method', method, (now_has::integer - had::integer) from (values
    ('password', old.password_hash is not null, new.password_hash is not null),
    ('otp', old.otp_auth_enabled, new.otp_auth_enabled),
    ('passkey', old.has_passkey, new.has_passkey)
  ) methods (method, had, now_has) where had <> now_has;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION count_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into metric_changes (project_id, kind, key, change)
  select u.project_id, counted.kind, counted.key, sign * count(*)
  from changed u cross join lateral (values
    ('users', '', true),
    ('sign_ups', (u.signed_up_at_millis / 86400000)::text, true),
    ('method', 'password', u.password_hash is not null),
    ('method', 'otp', u.otp_auth_enabled),
    ('method', 'passkey', u.has_passkey)
  ) counted (kind, key, applies)
  where counted.applies group by u.project_id, counted.kind, counted.key;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION delete_project_rows(gone text, at_most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  next_table regclass;
  deleted integer;
begin
  -- The audit log ends with its project, and with nothing else.
  perform set_config('tessera.ends_audit', 'on', true);
  for next_table in
    with recursive owned as (
      select c.oid from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
      -- partitions, not the tables that consist of them: a place in a table is that of one partition
      where c.relkind = 'r' and c.relnamespace = (select relnamespace from pg_class where oid = 'projects'::regclass)
    ), depths as (
      select oid, 0 as depth from owned
      union
      select f.conrelid, depths.depth + 1 from depths
      -- what is only set to null when the other row goes is no bond between the two
      join pg_constraint f on f.confrelid = depths.oid and f.contype = 'f' and f.conrelid <> f.confrelid
        and f.confdeltype not in ('n', 'd')
      where depths.depth < 20
    )
    select owned.oid from owned join depths using (oid) group by owned.oid order by max(depths.depth) desc, owned.oid
  loop
    execute format(
      'delete from %1$s where project_id = $1 and ctid = any (array(select ctid from %1$s where project_id = $1 limit $2))',
      next_table
    ) using gone, at_most;
    get diagnostics deleted = row_count;
    if deleted > 0 then
      return deleted;
    end if;
  end loop;
  return 0;
end
$function$;

CREATE OR REPLACE FUNCTION end_impersonations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from sessions where opener_session_id = old.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION end_sessions_of_deleted_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from sessions where opener_id = old.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION end_sessions_of_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from sessions where opener_id = old.user_id and project_id = old.project_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION end_sessions_of_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from sessions
  where opener_id = old.id and old.server_metadata::jsonb -> 'managedProjectIds' ? project_id
    and not coalesce(new.server_metadata::jsonb -> 'managedProjectIds' ? project_id, false);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION keep_primary_email()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'DELETE' and new.is_primary then
    update users set
      primary_email = new.value, primary_email_verified = new.is_verified, primary_email_used_for_auth = new.used_for_auth
    where project_id = new.project_id and id = new.user_id
      and (primary_email, primary_email_verified, primary_email_used_for_auth)
        is distinct from (new.value, new.is_verified, new.used_for_auth);
  else
    -- Where one statement makes another channel primary, that one may have been written before.
    update users set primary_email = null, primary_email_verified = false, primary_email_used_for_auth = false
    where project_id = old.project_id and id = old.user_id and primary_email = old.value;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION record_ended_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into ended_sessions (project_id, session_id)
  select project_id, id from ended
  where expires_at_millis > (extract(epoch from clock_timestamp()) - 86400) * 1000
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and current_setting('tessera.ends_audit', true) = 'on' then
    return null;
  end if;
  raise exception 'the audit log is append-only';
end
$function$;

CREATE INDEX account_deletions_due ON account_deletions USING btree (deletes_at_millis);
CREATE UNIQUE INDEX api_keys_by_secret ON api_keys USING btree (secret_hash, project_id);
CREATE INDEX api_keys_of_team ON api_keys USING btree (project_id, team_id, created_at_millis) WHERE (team_id IS NOT NULL);
CREATE INDEX api_keys_of_user ON api_keys USING btree (project_id, user_id, created_at_millis) WHERE (user_id IS NOT NULL);
CREATE INDEX audit_events_by_action ON audit_events USING btree (project_id, action, at_millis, id);
CREATE INDEX audit_events_by_actor ON audit_events USING btree (project_id, actor_id, at_millis, id) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_events_by_address ON audit_events USING btree (address) WHERE (address IS NOT NULL);
CREATE INDEX audit_events_by_trace ON audit_events USING btree (trace_id) WHERE (trace_id IS NOT NULL);
CREATE INDEX audit_events_of_user ON audit_events USING btree (project_id, user_id, at_millis, id) WHERE (user_id IS NOT NULL);
CREATE INDEX challenges_by_expiry ON one_time_codes USING btree (expires_at_millis) WHERE (kind = ANY (ARRAY['passkey_registration'::text, 'passkey_authentication'::text, 'mfa_attempt'::text]));
CREATE INDEX cli_logins_by_expiry ON cli_logins USING btree (expires_at_millis);
CREATE INDEX contact_channels_plain_primary ON contact_channels USING btree (project_id, value) WHERE (is_primary AND (NOT used_for_auth));
CREATE UNIQUE INDEX contact_channels_primary ON contact_channels USING btree (project_id, user_id, type) WHERE is_primary;
CREATE UNIQUE INDEX contact_channels_used_for_auth ON contact_channels USING btree (project_id, type, value) WHERE used_for_auth;
CREATE INDEX ended_sessions_by_time ON ended_sessions USING btree (ended_at);
CREATE INDEX ended_sessions_by_transaction ON ended_sessions USING btree (project_id, transaction_id);
CREATE INDEX events_of_session ON events USING btree (project_id, session_id, kind, at_millis);
CREATE INDEX events_of_user ON events USING btree (project_id, user_id, kind, at_millis);
CREATE INDEX idempotency_keys_started ON idempotency_keys USING btree (started_at_millis);
CREATE INDEX mails_by_age ON mails USING btree (project_id, created_at_millis DESC, id DESC);
CREATE INDEX mails_of_body ON mails USING btree (project_id, body_id) WHERE (body_id IS NOT NULL);
CREATE INDEX mails_of_message ON mails USING btree (project_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX mails_of_user ON mails USING btree (project_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX messages_by_age ON messages USING btree (project_id, created_at_millis DESC);
CREATE INDEX metric_changes_of_project ON metric_changes USING btree (project_id);
CREATE INDEX metric_users_by_activity ON metric_users USING btree (project_id, last_active_at_millis DESC, user_id);
CREATE INDEX oauth_accounts_of_user ON oauth_accounts USING btree (project_id, user_id);
CREATE INDEX oauth_authorization_codes_by_age ON oauth_authorization_codes USING btree (created_at_millis);
CREATE INDEX oauth_authorization_codes_of_user ON oauth_authorization_codes USING btree (project_id, user_id);
CREATE INDEX oauth_authorization_codes_unused ON oauth_authorization_codes USING btree (created_at_millis) WHERE (used_at_millis IS NULL);
CREATE INDEX oauth_flows_by_age ON oauth_flows USING btree (created_at_millis);
CREATE INDEX oauth_flows_by_state ON oauth_flows USING btree (state_hash);
CREATE INDEX oauth_flows_of_user ON oauth_flows USING btree (project_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX oauth_provider_tests_by_age ON oauth_provider_tests USING btree (created_at_millis);
CREATE INDEX oauth_tokens_of_account ON oauth_tokens USING btree (project_id, provider_id, account_id, created_at_millis DESC);
CREATE INDEX one_time_codes_address ON one_time_codes USING btree (project_id, kind, address, created_at_millis);
CREATE INDEX one_time_codes_by_expiry ON one_time_codes USING btree (expires_at_millis);
CREATE INDEX one_time_codes_nonce ON one_time_codes USING btree (project_id, nonce_hash);
CREATE INDEX one_time_codes_of_team ON one_time_codes USING btree (project_id, ((data ->> 'teamId'::text))) WHERE (kind = 'team_invitation'::text);
CREATE INDEX one_time_codes_of_user ON one_time_codes USING btree (project_id, user_id);
CREATE INDEX one_time_codes_unsubscribe ON one_time_codes USING btree (code_hash) WHERE (kind = 'unsubscribe'::text);
CREATE INDEX passkeys_of_user ON passkeys USING btree (project_id, user_id, created_at_millis);
CREATE INDEX project_members_by_account ON project_members USING btree (account_project_id, user_id);
CREATE INDEX project_permissions_by_permission ON project_permissions USING btree (project_id, permission_id);
CREATE INDEX rate_limits_by_expiry ON rate_limits USING btree (expire);
CREATE INDEX rate_limits_of_failed_sign_ins ON rate_limits USING btree (key text_pattern_ops) WHERE (key ~~ 'failedSignInsPerAccount:%'::text);
CREATE INDEX rotated_refresh_tokens_by_age ON rotated_refresh_tokens USING btree (rotated_at_millis);
CREATE INDEX rotated_refresh_tokens_of_session ON rotated_refresh_tokens USING btree (project_id, session_id);
CREATE INDEX sent_mails_by_age ON sent_mails USING btree (project_id, sent_at_millis DESC, number DESC);
CREATE INDEX sent_mails_failed ON sent_mails USING btree (sent_at_millis) WHERE (error IS NOT NULL);
CREATE INDEX sent_mails_of_message ON sent_mails USING btree (project_id, message_id, sent_at_millis DESC, number DESC) WHERE (message_id IS NOT NULL);
CREATE INDEX sent_mails_of_user ON sent_mails USING btree (project_id, user_id, sent_at_millis DESC, number DESC) WHERE (user_id IS NOT NULL);
CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at_millis);
CREATE INDEX sessions_by_opener ON sessions USING btree (opener_id) WHERE (opener_id IS NOT NULL);
CREATE INDEX sessions_by_opener_session ON sessions USING btree (opener_session_id) WHERE (opener_session_id IS NOT NULL);
CREATE INDEX sessions_of_user ON sessions USING btree (project_id, user_id, created_at_millis);
CREATE INDEX sign_in_devices_by_age ON sign_in_devices USING btree (last_seen_at_millis);
CREATE INDEX sign_in_sources_by_age ON sign_in_sources USING btree (last_success_at_millis);
CREATE INDEX team_memberships_of_user ON team_memberships USING btree (project_id, user_id);
CREATE INDEX team_permissions_by_permission ON team_permissions USING btree (project_id, permission_id);
CREATE INDEX team_permissions_of_user ON team_permissions USING btree (project_id, user_id);
CREATE INDEX teams_by_name_prefix ON teams USING btree (project_id, "left"(lower(display_name), 200), id);
CREATE INDEX teams_by_time ON teams USING btree (project_id, created_at_millis, id);
CREATE INDEX teams_search_folded ON teams USING gin (translate(replace(replace(replace(replace(NORMALIZE(regexp_replace(lower(NORMALIZE(display_name, NFD)), '[\u0300-\u036f]'::text, ''::text, 'g'::text)), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'þ'::text, 'th'::text), 'øđðłıς'::text, 'oddliσ'::text) gin_trgm_ops);
CREATE INDEX users_by_age ON users USING btree (project_id, signed_up_at_millis, id);
CREATE INDEX users_search_beginning ON users USING btree (project_id, "left"(search, 2), signed_up_at_millis, id);
CREATE INDEX users_search_by_period ON users USING gin (search gin_trgm_ops, (ARRAY[(signed_up_at_millis / 3600000), ((signed_up_at_millis / 28800000) + '1000000000000'::bigint), ((signed_up_at_millis / 230400000) + '2000000000000'::bigint), ((signed_up_at_millis / 1843200000) + '3000000000000'::bigint), ((signed_up_at_millis / '14745600000'::bigint) + '4000000000000'::bigint)]));
CREATE INDEX users_suspended ON users USING btree (project_id, id) WHERE (suspended_at_millis IS NOT NULL);
CREATE INDEX users_unfolded ON users USING btree (project_id, id) WHERE ((search ~ '[\u0080-\u1fff\u3099\u309a]'::text) AND (POSITION((repeat(chr(10), 2)) IN (search)) = 0));
CREATE INDEX webhook_attempts_of_endpoint ON webhook_attempts USING btree (project_id, endpoint_id, at_millis, id);
CREATE INDEX webhook_attempts_of_event ON webhook_attempts USING btree (project_id, event_id, endpoint_id, at_millis, id);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries USING btree (project_id, endpoint_id, created_at_millis, event_id);
CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints USING btree (deleted_at_millis) WHERE (deleted_at_millis IS NOT NULL);
CREATE INDEX webhook_endpoints_listening ON webhook_endpoints USING btree (project_id) WHERE ((NOT is_disabled) AND (deleted_at_millis IS NULL));
CREATE UNIQUE INDEX webhook_endpoints_uid ON webhook_endpoints USING btree (project_id, uid) WHERE (deleted_at_millis IS NULL);
CREATE INDEX webhook_events_by_age ON webhook_events USING btree (project_id, created_at_millis);

CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER contact_channels_primary_deleted AFTER DELETE ON contact_channels FOR EACH ROW WHEN (old.is_primary) EXECUTE FUNCTION keep_primary_email();

CREATE TRIGGER contact_channels_primary_inserted AFTER INSERT ON contact_channels FOR EACH ROW WHEN (new.is_primary) EXECUTE FUNCTION keep_primary_email();

CREATE TRIGGER contact_channels_primary_updated AFTER UPDATE ON contact_channels FOR EACH ROW WHEN ((old.is_primary OR new.is_primary)) EXECUTE FUNCTION keep_primary_email();

CREATE TRIGGER oauth_accounts_counted_in AFTER INSERT ON oauth_accounts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_oauth_accounts();

CREATE TRIGGER oauth_accounts_counted_out AFTER DELETE ON oauth_accounts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_oauth_accounts();

CREATE TRIGGER project_members_demoted AFTER UPDATE OF role ON project_members FOR EACH ROW WHEN (((old.role = 'admin'::text) AND (new.role <> 'admin'::text))) EXECUTE FUNCTION end_sessions_of_member();

CREATE TRIGGER project_members_removed AFTER DELETE ON project_members FOR EACH ROW EXECUTE FUNCTION end_sessions_of_member();

CREATE TRIGGER sessions_ended AFTER DELETE ON sessions REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION record_ended_sessions();

CREATE TRIGGER sessions_ended_impersonations AFTER DELETE ON sessions FOR EACH ROW WHEN ((old.project_id = 'internal'::text)) EXECUTE FUNCTION end_impersonations();

CREATE TRIGGER users_counted_in AFTER INSERT ON users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_users();

CREATE TRIGGER users_counted_out AFTER DELETE ON users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_users();

CREATE TRIGGER users_methods_counted AFTER UPDATE OF password_hash, otp_auth_enabled, has_passkey ON users FOR EACH ROW WHEN (((((old.password_hash IS NULL) IS DISTINCT FROM (new.password_hash IS NULL)) OR (old.otp_auth_enabled IS DISTINCT FROM new.otp_auth_enabled)) OR (old.has_passkey IS DISTINCT FROM new.has_passkey))) EXECUTE FUNCTION count_user_methods();

CREATE TRIGGER users_opener_deleted AFTER DELETE ON users FOR EACH ROW WHEN ((old.project_id = 'internal'::text)) EXECUTE FUNCTION end_sessions_of_deleted_owner();

CREATE TRIGGER users_ownership_changed AFTER UPDATE OF server_metadata ON users FOR EACH ROW WHEN (((old.project_id = 'internal'::text) AND ((old.server_metadata)::text IS DISTINCT FROM (new.server_metadata)::text))) EXECUTE FUNCTION end_sessions_of_owner();

insert into installation default values;
insert into metric_progress default values;
