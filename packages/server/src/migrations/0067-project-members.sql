-- People who manage a project without owning it (docs/contract/projects.md#members-and-roles). Owners are recorded in the
-- server metadata of their account, as the contract says: a process of an earlier version knows owners only and refuses
-- members.
create table project_members (
  project_id text not null references projects (id) on delete cascade,
  -- Members are users of the project `internal`; the column exists for the foreign key.
  account_project_id text not null generated always as ('internal') stored,
  user_id uuid not null,
  role text not null check (role in ('admin', 'viewer')),
  created_at_millis bigint not null,
  primary key (project_id, user_id),
  constraint project_members_account foreign key (account_project_id, user_id)
    references users (project_id, id) on delete cascade
);

create index project_members_by_account on project_members (account_project_id, user_id);
