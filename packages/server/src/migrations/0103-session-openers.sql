-- The person who opened a session for a user, a user of `internal`; null for a sign-in and for a key. An impersonation
-- also has the session of that person. No foreign keys: each would cost a look-up for every deleted session and user.
alter table sessions add column opener_id uuid, add column opener_session_id uuid;

-- Triggers, because the access of a person ends in many ways: sign-out, a password change, a stolen refresh token, a
-- removed member, a transfer, a deleted account.

-- An impersonation lasts no longer than the session in which it was opened.
create function end_impersonations() returns trigger language plpgsql as $$
begin
  delete from sessions where opener_session_id = old.id;
  return null;
end
$$;

create trigger sessions_ended_impersonations after delete on sessions
  for each row when (old.project_id = 'internal') execute function end_impersonations();

-- Also for a member who becomes the owner: the sessions were opened with the ended role.
create function end_sessions_of_member() returns trigger language plpgsql as $$
begin
  delete from sessions where opener_id = old.user_id and project_id = old.project_id;
  return null;
end
$$;

create trigger project_members_removed after delete on project_members
  for each row execute function end_sessions_of_member();

create trigger project_members_demoted after update of role on project_members
  for each row when (old.role = 'admin' and new.role <> 'admin') execute function end_sessions_of_member();

-- `managedProjectIds` is the ownership record.
create function end_sessions_of_owner() returns trigger language plpgsql as $$
begin
  delete from sessions
  where opener_id = old.id and old.server_metadata::jsonb -> 'managedProjectIds' ? project_id
    and not coalesce(new.server_metadata::jsonb -> 'managedProjectIds' ? project_id, false);
  return null;
end
$$;

create trigger users_ownership_changed after update of server_metadata on users
  for each row when (
    old.project_id = 'internal' and old.server_metadata::text is distinct from new.server_metadata::text
  ) execute function end_sessions_of_owner();

create function end_sessions_of_deleted_owner() returns trigger language plpgsql as $$
begin
  delete from sessions where opener_id = old.id;
  return null;
end
$$;

create trigger users_opener_deleted after delete on users
  for each row when (old.project_id = 'internal') execute function end_sessions_of_deleted_owner();
