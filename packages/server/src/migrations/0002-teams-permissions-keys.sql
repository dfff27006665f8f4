-- Teams, permissions, API keys, notification preferences, webhook events, and the search over users.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table teams (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  display_name text not null,
  profile_image_url text,
  client_metadata json,
  client_read_only_metadata json,
  server_metadata json,
  created_at_millis bigint not null,
  primary key (project_id, id)
);

create index teams_by_age on teams (project_id, created_at_millis, id);

create table team_memberships (
  project_id text not null,
  team_id uuid not null,
  user_id uuid not null,
  -- the member's profile: overrides inside this team, null where the user's own value holds
  display_name text,
  profile_image_url text,
  is_selected boolean not null default false,
  created_at_millis bigint not null,
  primary key (project_id, team_id, user_id),
  constraint team_memberships_team foreign key (project_id, team_id) references teams (project_id, id) on delete cascade,
  constraint team_memberships_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade
);

create index team_memberships_of_user on team_memberships (project_id, user_id);
create unique index team_memberships_selected on team_memberships (project_id, user_id) where is_selected;

-- System permissions are not rows; one namespace over both scopes.
create table permission_definitions (
  project_id text not null references projects (id) on delete cascade,
  id text not null,
  scope text not null check (scope in ('team', 'project')),
  description text not null default '',
  contained_permission_ids text[] not null default '{}',
  constraint permission_definitions_id primary key (project_id, id)
);

create table team_permissions (
  project_id text not null,
  team_id uuid not null,
  user_id uuid not null,
  permission_id text not null,
  primary key (project_id, team_id, user_id, permission_id),
  constraint team_permissions_membership foreign key (project_id, team_id, user_id)
    references team_memberships (project_id, team_id, user_id) on delete cascade
);

create index team_permissions_of_user on team_permissions (project_id, user_id);
create index team_permissions_by_permission on team_permissions (project_id, permission_id);

create table project_permissions (
  project_id text not null,
  user_id uuid not null,
  permission_id text not null,
  primary key (project_id, user_id, permission_id),
  constraint project_permissions_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade
);

create index project_permissions_by_permission on project_permissions (project_id, permission_id);

create table api_keys (
  project_id text not null references projects (id) on delete cascade,
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
  primary key (project_id, id),
  constraint api_keys_owner check ((user_id is null) <> (team_id is null)),
  constraint api_keys_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade,
  constraint api_keys_team foreign key (project_id, team_id) references teams (project_id, id) on delete cascade
);

-- Without the project: the leaked-key endpoint is given nothing but the key (decisions.md).
create unique index api_keys_secret on api_keys (secret_hash);
create index api_keys_of_user on api_keys (project_id, user_id, created_at_millis) where user_id is not null;
create index api_keys_of_team on api_keys (project_id, team_id, created_at_millis) where team_id is not null;

create table notification_preferences (
  project_id text not null,
  user_id uuid not null,
  category_id uuid not null,
  is_enabled boolean not null,
  primary key (project_id, user_id, category_id),
  constraint notification_preferences_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade
);

-- What happened, for webhooks: a row in the transaction that did it.
create table webhook_events (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  type text not null,
  data json not null,
  created_at_millis bigint not null,
  primary key (project_id, id)
);

create index webhook_events_by_age on webhook_events (project_id, created_at_millis);

-- Name, addresses and id, lower case, a line each; kept by whoever writes one of them.
alter table users add column search text not null default '';
create index users_search on users using gin (project_id, search gin_trgm_ops);
create index users_search_prefix on users (project_id, search text_pattern_ops);
create index users_by_age on users (project_id, signed_up_at_millis, id);

insert into permission_definitions (project_id, id, scope, contained_permission_ids)
select id, 'team_admin', 'team',
  array['$delete_team', '$invite_members', '$manage_api_keys', '$read_members', '$remove_members', '$update_team']
from projects
union all
select id, 'team_member', 'team', array['$invite_members', '$read_members'] from projects;

update users u set search = lower(concat_ws(
  E'\n', u.display_name,
  (select string_agg(c.value, E'\n' order by c.created_at_millis) from contact_channels c where c.project_id = u.project_id and c.user_id = u.id),
  u.id
));
