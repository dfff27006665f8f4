-- Passkeys: several for each user, each known by its credential id in the whole project.

create table passkeys (
  project_id text not null,
  -- base64url, as authenticators and browsers name it
  credential_id text not null,
  user_id uuid not null,
  -- COSE, as it was registered
  public_key bytea not null,
  -- how often the authenticator says that it has signed; zero where it does not count
  counter bigint not null,
  -- how browsers may reach the authenticator
  transports text[] not null,
  device_type text not null,
  is_backed_up boolean not null,
  -- whether the authenticator made sure who it was, when it was used last
  is_user_verified boolean not null,
  created_at_millis bigint not null,
  last_used_at_millis bigint,
  constraint passkeys_credential primary key (project_id, credential_id),
  constraint passkeys_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade
);

create index passkeys_of_user on passkeys (project_id, user_id, created_at_millis);

-- Whether there is one, in the row that every request with a user reads.
alter table users add column has_passkey boolean not null default false;
