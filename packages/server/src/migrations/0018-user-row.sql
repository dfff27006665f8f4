-- What every request with a user tells of them stands in their own row: one read instead of five, measured in bench/.

alter table users
  -- of the primary channel, kept by the trigger below
  add column primary_email text,
  add column primary_email_verified boolean not null default false,
  add column primary_email_used_for_auth boolean not null default false,
  add column selected_team_id uuid,
  -- null until the first activity after signing up
  add column last_active_at_millis bigint,
  -- false only where there is nothing to look up
  add column may_have_oauth_accounts boolean not null default false,
  -- activity changes a row in place as long as its page has room
  set (fillfactor = 85);

update users u set
  primary_email = c.value, primary_email_verified = c.is_verified, primary_email_used_for_auth = c.used_for_auth
from contact_channels c
where c.project_id = u.project_id and c.user_id = u.id and c.is_primary;

update users u set selected_team_id = m.team_id
from team_memberships m
where m.project_id = u.project_id and m.user_id = u.id and m.is_selected;

update users u set last_active_at_millis = e.at_millis
from (
  select project_id, user_id, max(at_millis) as at_millis from events where kind = 'activity' group by project_id, user_id
) e
where e.project_id = u.project_id and e.user_id = u.id;

update users u set may_have_oauth_accounts = true
where exists (select from oauth_accounts o where o.project_id = u.project_id and o.user_id = u.id);

-- A selected team is one that the user is in, and there is one at most: the end of the membership ends the selection.
alter table team_memberships drop column is_selected;
alter table users add constraint users_selected_team
  foreign key (project_id, selected_team_id, id) references team_memberships (project_id, team_id, user_id)
  on delete set null (selected_team_id);

-- A trigger and not its writers, of which there are many: none can forget it.
create function keep_primary_email() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' and new.is_primary then
    update users set
      primary_email = new.value, primary_email_verified = new.is_verified, primary_email_used_for_auth = new.used_for_auth
    where project_id = new.project_id and id = new.user_id
      and (primary_email, primary_email_verified, primary_email_used_for_auth)
        is distinct from (new.value, new.is_verified, new.used_for_auth);
  else
    -- Where one statement makes another channel primary, that one may have been written before.
    update users set primary_email = null, primary_email_verified = false, primary_email_used_for_auth = false
    where project_id = old.project_id and id = old.user_id and primary_email = old.value;
  end if;
  return null;
end
$$;

create trigger contact_channels_primary_inserted after insert on contact_channels
  for each row when (new.is_primary) execute function keep_primary_email();
create trigger contact_channels_primary_updated after update on contact_channels
  for each row when (old.is_primary or new.is_primary) execute function keep_primary_email();
create trigger contact_channels_primary_deleted after delete on contact_channels
  for each row when (old.is_primary) execute function keep_primary_email();
