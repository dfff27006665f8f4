-- Which release brought the schema to its present state, and the oldest release that runs on it.
create table schema_release (
  is_only boolean primary key default true check (is_only),
  version text not null,
  min_version text not null
);
