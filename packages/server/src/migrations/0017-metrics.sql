-- What `/internal/metrics` reads instead of users and events: counts that triggers and a job keep, exact at every moment
-- together with what the job has not added up yet.

-- Of users: `users`, `sign_ups` by day, `method` by its name. Of activity: `active` by day, `country` by its code.
-- Days are numbered from 1970-01-01 in UTC.
create table metric_counts (
  project_id text not null,
  kind text not null,
  key text not null,
  value bigint not null,
  primary key (project_id, kind, key)
);

-- Changes of these counts that are not added up: rows, so that those who sign up at the same time do not wait for each
-- other's count.
create table metric_changes (
  project_id text not null,
  kind text not null,
  key text not null,
  change bigint not null
);

create index metric_changes_of_project on metric_changes (project_id);

-- Each user's latest activity, and the latest that has a country. Users stay in it when they are deleted.
create table metric_users (
  project_id text not null,
  user_id uuid not null,
  last_active_at_millis bigint not null,
  country text,
  country_at_millis bigint,
  primary key (project_id, user_id)
);

create index metric_users_by_activity on metric_users (project_id, last_active_at_millis desc, user_id);

-- Who was active on which day, as long as that day can still change.
create table metric_active_days (
  project_id text not null,
  day integer not null,
  user_id uuid not null,
  primary key (project_id, day, user_id)
);

-- Up to which event activity is added up. Ids are taken before their transactions end, so one is passed only when every
-- transaction that may have taken a smaller one is over: `seen_id` was the last id at one run, `waiting_xid` the next
-- transaction at the run after it, and once none before that one is running, `waiting_id` is safe.
create table metric_progress (
  only_row boolean primary key default true check (only_row),
  added_up_id bigint not null default 0,
  safe_id bigint not null default 0,
  waiting_id bigint not null default 0,
  waiting_xid xid8,
  seen_id bigint not null default 0
);

insert into metric_progress default values;

create function count_users() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into metric_changes (project_id, kind, key, change)
  select u.project_id, counted.kind, counted.key, sign * count(*)
  from changed u cross join lateral (values
    ('users', '', true),
    ('sign_ups', (u.signed_up_at_millis / 86400000)::text, true),
    ('method', 'password', u.password_hash is not null),
    ('method', 'otp', u.otp_auth_enabled),
    ('method', 'passkey', u.has_passkey)
  ) counted (kind, key, applies)
  where counted.applies group by u.project_id, counted.kind, counted.key;
  return null;
end
$$;

create trigger users_counted_in after insert on users
  referencing new table as changed for each statement execute function count_users();
create trigger users_counted_out after delete on users
  referencing old table as changed for each statement execute function count_users();

create function count_user_methods() returns trigger language plpgsql as $$
begin
  insert into metric_changes (project_id, kind, key, change)
  select new.project_id, 'method', method, (now_has::integer - had::integer) from (values
    ('password', old.password_hash is not null, new.password_hash is not null),
    ('otp', old.otp_auth_enabled, new.otp_auth_enabled),
    ('passkey', old.has_passkey, new.has_passkey)
  ) methods (method, had, now_has) where had <> now_has;
  return null;
end
$$;

create trigger users_methods_counted after update of password_hash, otp_auth_enabled, has_passkey on users
  for each row when (
    (old.password_hash is null, old.otp_auth_enabled, old.has_passkey)
      is distinct from (new.password_hash is null, new.otp_auth_enabled, new.has_passkey)
  ) execute function count_user_methods();

create function count_oauth_accounts() returns trigger language plpgsql as $$
begin
  insert into metric_changes (project_id, kind, key, change)
  select project_id, 'method', provider_id, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by project_id, provider_id;
  return null;
end
$$;

create trigger oauth_accounts_counted_in after insert on oauth_accounts
  referencing new table as changed for each statement execute function count_oauth_accounts();
create trigger oauth_accounts_counted_out after delete on oauth_accounts
  referencing old table as changed for each statement execute function count_oauth_accounts();

insert into metric_counts (project_id, kind, key, value)
select u.project_id, counted.kind, counted.key, count(*)
from users u cross join lateral (values
  ('users', '', true),
  ('sign_ups', (u.signed_up_at_millis / 86400000)::text, true),
  ('method', 'password', u.password_hash is not null),
  ('method', 'otp', u.otp_auth_enabled),
  ('method', 'passkey', u.has_passkey)
) counted (kind, key, applies)
where counted.applies group by u.project_id, counted.kind, counted.key
union all
select project_id, 'method', provider_id, count(*) from oauth_accounts group by project_id, provider_id;

-- For the purge: events come in the order of time, so a few bytes for each stretch of them are enough.
create index events_by_time on events using brin (at_millis);
