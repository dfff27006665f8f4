-- Who did what, and from where. Time stands in the primary key, so that the table can be partitioned by it. Without a
-- reference to the project: each insert would lock its row, the same one for all of them.
create table audit_events (
  project_id text not null,
  at_millis bigint not null,
  id uuid not null,
  action text not null,
  actor_type text not null,
  actor_id uuid,
  -- whom it concerns
  user_id uuid,
  subject_type text,
  subject_id text,
  address text,
  user_agent text,
  details json,
  before json,
  after json,
  primary key (project_id, at_millis, id)
);

create index audit_events_by_action on audit_events (project_id, action, at_millis, id);
create index audit_events_of_user on audit_events (project_id, user_id, at_millis, id) where user_id is not null;
create index audit_events_by_actor on audit_events (project_id, actor_id, at_millis, id) where actor_id is not null;

-- Append-only: no event is ever changed, and none is taken away but by the purge and with its project, which say so.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('tessera.ends_audit', true) = 'on' then
    return null;
  end if;
  raise exception 'the audit log is append-only';
end
$$;

create trigger audit_events_append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_audit_change();
