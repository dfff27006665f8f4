-- The user whose access token began a sign-in through a provider (a link, or the upgrade of an anonymous user), so that
-- it can be ended with the sessions of the user.
alter table oauth_flows add column user_id uuid;
alter table oauth_flows add constraint oauth_flows_user
  foreign key (project_id, user_id) references users (project_id, id) on delete cascade;
create index oauth_flows_of_user on oauth_flows (project_id, user_id) where user_id is not null;
