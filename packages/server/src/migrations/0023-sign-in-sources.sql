-- The address blocks from which a user has signed in: guesses from elsewhere do not lock the user out there.
create table sign_in_sources (
  project_id text not null,
  user_id uuid not null,
  -- an IPv4 address or an IPv6 /64
  block text not null,
  last_success_at_millis bigint not null,
  primary key (project_id, user_id, block),
  constraint sign_in_sources_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade
);

create index sign_in_sources_by_age on sign_in_sources (last_success_at_millis);
