-- Monthly active users are counted from this month on. Users who were active in it already are counted here, because the
-- rollup counts a user at the first activity of a month. One aggregate, a row per project.
insert into metric_counts (project_id, kind, key, value)
select project_id, 'active_month', (extract(year from now() at time zone 'UTC') * 12
  + extract(month from now() at time zone 'UTC') - 1)::integer::text, count(*)
from metric_users
where last_active_at_millis
  >= (extract(epoch from date_trunc('month', now() at time zone 'UTC') at time zone 'UTC') * 1000)::bigint
group by project_id
on conflict do nothing;
