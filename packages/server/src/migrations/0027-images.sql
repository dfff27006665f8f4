-- Images that were sent inside a field, converted; the field holds their URL.
create table images (
  project_id text not null references projects (id) on delete cascade,
  -- SHA-256 of the content
  hash bytea not null,
  -- WebP
  content bytea not null,
  -- when it was sent last
  stored_at_millis bigint not null,
  primary key (project_id, hash)
);

-- WebP is compressed already
alter table images alter column content set storage external;
