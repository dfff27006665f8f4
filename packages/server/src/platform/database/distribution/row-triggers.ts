/**
 * Triggers for distributed tables. A trigger on a shard may write rows of the same project only, each named by its project
 * id, so these replace the triggers that work on all rows of a statement.
 */
export const rowTriggers: readonly string[] = [
  `create function count_user_row() returns trigger language plpgsql as $$
declare
  u record;
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  if tg_op = 'DELETE' then u := old; else u := new; end if;
  insert into metric_changes (project_id, kind, key, change) values (u.project_id, 'users', '', sign);
  insert into metric_changes (project_id, kind, key, change)
  values (u.project_id, 'sign_ups', (u.signed_up_at_millis / 86400000)::text, sign);
  if u.password_hash is not null then
    insert into metric_changes (project_id, kind, key, change) values (u.project_id, 'method', 'password', sign);
  end if;
  if u.otp_auth_enabled then
    insert into metric_changes (project_id, kind, key, change) values (u.project_id, 'method', 'otp', sign);
  end if;
  if u.has_passkey then
    insert into metric_changes (project_id, kind, key, change) values (u.project_id, 'method', 'passkey', sign);
  end if;
  return null;
end
$$`,
  `create trigger users_counted after insert or delete on users for each row execute function count_user_row()`,
  `create function count_user_method_row() returns trigger language plpgsql as $$
begin
  if (old.password_hash is null) <> (new.password_hash is null) then
    insert into metric_changes (project_id, kind, key, change)
    values (new.project_id, 'method', 'password', case when new.password_hash is null then -1 else 1 end);
  end if;
  if old.otp_auth_enabled <> new.otp_auth_enabled then
    insert into metric_changes (project_id, kind, key, change)
    values (new.project_id, 'method', 'otp', case when new.otp_auth_enabled then 1 else -1 end);
  end if;
  if old.has_passkey <> new.has_passkey then
    insert into metric_changes (project_id, kind, key, change)
    values (new.project_id, 'method', 'passkey', case when new.has_passkey then 1 else -1 end);
  end if;
  return null;
end
$$`,
  `create trigger users_methods_counted after update of password_hash, otp_auth_enabled, has_passkey on users
for each row execute function count_user_method_row()`,
  `create function count_oauth_account_row() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into metric_changes (project_id, kind, key, change)
    values (old.project_id, 'method', old.provider_id, -1);
  else
    insert into metric_changes (project_id, kind, key, change)
    values (new.project_id, 'method', new.provider_id, 1);
  end if;
  return null;
end
$$`,
  `create trigger oauth_accounts_counted after insert or delete on oauth_accounts
for each row execute function count_oauth_account_row()`,
  `create function record_ended_session_row() returns trigger language plpgsql as $$
begin
  if old.expires_at_millis > (extract(epoch from clock_timestamp()) - 86400) * 1000 then
    insert into ended_sessions (project_id, session_id) values (old.project_id, old.id) on conflict do nothing;
  end if;
  return null;
end
$$`,
  `create trigger sessions_ended after delete on sessions for each row execute function record_ended_session_row()`,
  `create function clear_selected_team() returns trigger language plpgsql as $$
begin
  update users set selected_team_id = null
  where project_id = old.project_id and id = old.user_id and selected_team_id = old.team_id;
  return null;
end
$$`,
  `create trigger team_memberships_deselected after delete on team_memberships
for each row execute function clear_selected_team()`,
];
