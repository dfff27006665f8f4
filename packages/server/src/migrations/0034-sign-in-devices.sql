-- The devices that a user signs in from, as hashes: a sign-in from another one sends a notice.
create table sign_in_devices (
  project_id text not null,
  user_id uuid not null,
  device bytea not null,
  last_seen_at_millis bigint not null,
  primary key (project_id, user_id, device),
  constraint sign_in_devices_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade
);

create index sign_in_devices_by_age on sign_in_devices (last_seen_at_millis);
