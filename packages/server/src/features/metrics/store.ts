import { onlyRow, type Queryable } from '../../platform/database/database.ts';
import { type Statement, sql } from '../../platform/database/sql.ts';
import type { Count } from './rules.ts';

export interface Numbers {
  readonly counts: readonly Count[];
  /** Ids of the users with the latest activity, latest first; deleted users included. */
  readonly activeUserIds: readonly string[];
}

/** The day number of a column in milliseconds. */
const day = sql`(at_millis / 86400000)::integer`;

/** The month of a time in milliseconds: months since year 0 in UTC. */
const monthOf = (millis: Statement) => sql`(
  extract(year from to_timestamp(${millis} / 1000) at time zone 'UTC') * 12
    + extract(month from to_timestamp(${millis} / 1000) at time zone 'UTC') - 1
)::integer`;

/** The newest activity per user among `fresh`, and the newest with a country. */
const latest = sql`
  max(at_millis) as last_active_at_millis,
  (array_agg(country order by at_millis desc, id desc) filter (where country is not null))[1] as country,
  max(at_millis) filter (where country is not null) as country_at_millis
`;

/** The users of `fresh` on each of these days, without those that the rollup has counted for the day. */
function freshActiveUsers(projectId: string, days: readonly number[]): Statement {
  return sql`
    select 'active', f.day::text, count(*) from (select distinct user_id, ${day} as day from fresh) f
    where f.day = any(${days}) and (
      select true from metric_active_days a
      where a.project_id = ${projectId} and a.day = f.day and a.user_id = f.user_id
    ) is null
    group by f.day
  `;
}

/** A read adds up at most this number of newest events itself. Only a long pause of the rollup leaves more. */
const freshEventsMax = 200_000;

/**
 * Reads the counters and adds the events that are not rolled up yet: normally a few minutes of activity. One statement,
 * so that an event which the rollup moves meanwhile is counted exactly once. Counters of the few fresh users are looked
 * up one by one (`is null`, `offset 0`), because a join would read the whole table.
 */
export async function selectMetrics(
  db: Queryable,
  projectId: string,
  { days, activeUsersMax }: { days: readonly number[]; activeUsersMax: number },
): Promise<Numbers> {
  const dayKeys = days.map(String);
  const rows = await db.query<Numbers>(sql`
    with fresh as materialized (
      select e.id, e.user_id, e.at_millis, e.data ->> 'countryCode' as country
      from events e
      where e.project_id = ${projectId} and e.id > (select added_up_id from metric_progress)
        and e.kind = 'activity' and e.user_id is not null
      order by e.id desc limit ${freshEventsMax}
    ), fresh_users as materialized (
      select user_id, ${latest} from fresh group by user_id
    ), counts as (
      select kind, key, value from metric_counts
      where project_id = ${projectId} and kind <> 'active_month'
        and (kind not in ('sign_ups', 'active') or key = any(${dayKeys}))
      union all
      select kind, key, change from metric_changes
      where project_id = ${projectId} and (kind <> 'sign_ups' or key = any(${dayKeys}))
      union all
      ${freshActiveUsers(projectId, days)}
      union all
      select 'country', moved.country, moved.change
      from fresh_users f
      left join lateral (
        select m.country, m.country_at_millis from metric_users m
        where m.project_id = ${projectId} and m.user_id = f.user_id offset 0
      ) m on true
      cross join lateral (values (f.country, 1), (m.country, -1)) moved (country, change)
      where f.country_at_millis >= coalesce(m.country_at_millis, 0) and moved.country is not null
    ), active as (
      select user_id, last_active_at_millis from fresh_users
      union all (
        select user_id, last_active_at_millis from metric_users where project_id = ${projectId}
        order by last_active_at_millis desc, user_id limit ${activeUsersMax}
      )
    )
    select
      (
        select coalesce(json_agg(total), '[]')
        from (select kind, key, sum(value) as value from counts group by kind, key order by kind, key) total
      ) as counts,
      array(
        select user_id from active group by user_id order by max(last_active_at_millis) desc, user_id
        limit ${activeUsersMax}
      ) as "activeUserIds"
  `);
  return onlyRow(rows);
}

/** Reads the counts of days and months, with the events that are not rolled up yet, as `selectMetrics`. */
export async function selectHistory(
  db: Queryable,
  projectId: string,
  { days, months }: { days: readonly number[]; months: readonly number[] },
): Promise<Count[]> {
  const dayKeys = days.map(String);
  return db.query<Count>(sql`
    with fresh as materialized (
      select e.user_id, e.at_millis from events e
      where e.project_id = ${projectId} and e.id > (select added_up_id from metric_progress)
        and e.kind = 'activity' and e.user_id is not null
      order by e.id desc limit ${freshEventsMax}
    ), counts as (
      select kind, key, value from metric_counts
      where project_id = ${projectId} and (
        (kind in ('sign_ups', 'active') and key = any(${dayKeys}))
        or (kind = 'active_month' and key = any(${months.map(String)}))
      )
      union all
      select kind, key, change from metric_changes
      where project_id = ${projectId} and kind = 'sign_ups' and key = any(${dayKeys})
      union all
      ${freshActiveUsers(projectId, days)}
      union all
      select 'active_month', f.month::text, count(*)
      from (select distinct user_id, ${monthOf(sql`at_millis`)} as month from fresh) f
      left join lateral (
        select m.last_active_at_millis from metric_users m
        where m.project_id = ${projectId} and m.user_id = f.user_id offset 0
      ) m on true
      where m.last_active_at_millis is null or f.month > ${monthOf(sql`m.last_active_at_millis`)}
      group by f.month
    )
    select kind, key, sum(value)::bigint as value from counts group by kind, key order by kind, key
  `);
}

/** Ids per step. Smaller steps are hardly faster, because they touch nearly as many pages. */
const eventsAtOnce = 10_000;
const changesAtOnce = 10_000;

/**
 * Advances the id up to which events may be rolled up. Calls must be some time apart: a transaction that has taken an id
 * must also have its transaction id by the next call.
 */
export async function advanceSafeId(db: Queryable): Promise<void> {
  await db.query(sql`
    update metric_progress set
      safe_id = waiting_id,
      waiting_id = seen_id,
      waiting_xid = pg_snapshot_xmax(pg_current_snapshot()),
      seen_id = (select case when is_called then last_value else 0 end from events_id_seq)
    where waiting_xid is null or pg_snapshot_xmin(pg_current_snapshot()) >= waiting_xid
  `);
}

/** Rolls up the next events of all projects. @returns false when no event may be rolled up */
export async function rollUpEvents(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`
    with step as (
      -- One rollup at a time: a concurrent one waits for the lock, and then takes the next events.
      select added_up_id as after_id, least(safe_id, added_up_id + ${eventsAtOnce}) as to_id from metric_progress
      where added_up_id < safe_id for update
    ), fresh as materialized (
      select e.project_id, e.id, e.user_id, e.at_millis, e.data ->> 'countryCode' as country
      from step cross join projects p cross join lateral (
        select e.project_id, e.id, e.user_id, e.at_millis, e.data from events e
        where e.project_id = p.id and e.id > step.after_id and e.id <= step.to_id
          and e.kind = 'activity' and e.user_id is not null
        -- Project by project: planned at once, the ids of all projects would be looked through.
        offset 0
      ) e
    ), days as (
      insert into metric_active_days (project_id, day, user_id)
      select distinct project_id, ${day}, user_id from fresh
      on conflict do nothing returning project_id, day
    ), latest as (
      select project_id, user_id, ${latest} from fresh group by project_id, user_id
    ), known as (
      select latest.project_id, latest.user_id, m.country from latest cross join lateral (
        select m.country from metric_users m
        where m.project_id = latest.project_id and m.user_id = latest.user_id offset 0
      ) m
    ), months as (
      -- A user counts for a month at the first activity in it. So no list of the users of a month is kept.
      select f.project_id, f.month, count(*) as change
      from (select distinct project_id, user_id, ${monthOf(sql`at_millis`)} as month from fresh) f
      left join lateral (
        select m.last_active_at_millis from metric_users m
        where m.project_id = f.project_id and m.user_id = f.user_id offset 0
      ) m on true
      where m.last_active_at_millis is null or f.month > ${monthOf(sql`m.last_active_at_millis`)}
      group by f.project_id, f.month
    ), saved as (
      insert into metric_users as m (project_id, user_id, last_active_at_millis, country, country_at_millis)
      select project_id, user_id, last_active_at_millis, country, country_at_millis from latest
      on conflict (project_id, user_id) do update set
        last_active_at_millis = greatest(m.last_active_at_millis, excluded.last_active_at_millis),
        country = case when excluded.country_at_millis >= coalesce(m.country_at_millis, 0)
          then excluded.country else m.country end,
        country_at_millis = greatest(m.country_at_millis, excluded.country_at_millis)
      returning project_id, user_id, country
    ), changes as (
      select project_id, 'active' as kind, day::text as key, count(*) as change from days group by project_id, day
      union all
      select project_id, 'active_month', month::text, change from months
      union all
      select project_id, 'country', country, sum(change) from (
        select project_id, country, 1 as change from saved union all select project_id, country, -1 from known
      ) moved
      where country is not null group by project_id, country having sum(change) <> 0
    ), counted as (
      insert into metric_counts as c (project_id, kind, key, value)
      select project_id, kind, key, change from changes
      on conflict (project_id, kind, key) do update set value = c.value + excluded.value
    )
    update metric_progress set added_up_id = step.to_id from step returning added_up_id
  `);
  return rows.length > 0;
}

/** Rolls up the next count changes. @returns false when none is left */
export async function rollUpChanges(db: Queryable): Promise<boolean> {
  const rows = await db.query<{ taken: number }>(sql`
    with taken as (
      delete from metric_changes where ctid = any(array(
        select ctid from metric_changes limit ${changesAtOnce} for update skip locked
      )) returning project_id, kind, key, change
    ), counted as (
      insert into metric_counts as c (project_id, kind, key, value)
      select project_id, kind, key, sum(change) from taken group by project_id, kind, key
      having sum(change) <> 0 order by project_id, kind, key
      on conflict (project_id, kind, key) do update set value = c.value + excluded.value
    )
    select count(*) as taken from taken
  `);
  return onlyRow(rows).taken === changesAtOnce;
}
