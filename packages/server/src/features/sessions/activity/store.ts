import { activityDetailMs } from '@tessera/protocol/limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { EndUserPlace } from '../../../platform/network/geo.ts';
import { raiseLastActivity } from '../../accounts/users/row/index.ts';
import type { CallerPlace } from './caller-place.ts';

/** One use of a session: an access token was issued for it. */
export interface Activity {
  readonly projectId: string;
  /** Null for an impersonation, which is no activity of the user (docs/contract/users.md#activity). */
  readonly userId: string | null;
  readonly sessionId: string;
  readonly place: CallerPlace;
  readonly atMillis: number;
}

/** The latest use of a session `s`; null when none is recorded. */
export const lastUse = sql`(
  select max(e.at_millis) from events e
  where e.project_id = s.project_id and e.session_id = s.id and e.kind = 'activity'
)`;

/**
 * Inserts activity, and deletes older activity of the same sessions that the metrics have counted. Only the latest use
 * of a session is read again, so the table does not grow with every refresh.
 */
export async function insertActivity(db: Queryable, activities: readonly Activity[]): Promise<void> {
  await db.query(sql`
    with used as (
      select project_id, user_id, session_id, at_millis, data::json, address, country_code
      from unnest(
        ${activities.map(one => one.projectId)}::text[], ${activities.map(one => one.userId)}::uuid[],
        ${activities.map(one => one.sessionId)}::uuid[], ${activities.map(one => one.atMillis)}::bigint[],
        ${activities.map(one => placeText(one.place.stated))}::text[],
        ${activities.map(one => one.place.address)}::text[], ${activities.map(one => one.place.countryCode)}::text[]
      ) as one (project_id, user_id, session_id, at_millis, data, address, country_code)
    ), last_used as (
      select project_id, user_id, max(at_millis) as at_millis from used group by project_id, user_id
    ), locked as (
      -- In one order, so that two writers never wait for each other.
      select u.project_id, u.id, l.at_millis
      from last_used l join users u on u.project_id = l.project_id and u.id = l.user_id
      order by u.project_id, u.id for no key update of u
    ), seen as (
      ${raiseLastActivity(sql`locked`)}
    ), replaced as (
      delete from events where ctid = any(array(
        select old.ctid from used cross join lateral (
          select e.ctid from events e
          where e.project_id = used.project_id and e.session_id = used.session_id and e.kind = 'activity'
            and e.at_millis < used.at_millis - ${activityDetailMs}::bigint
            and e.id <= (select added_up_id from metric_progress)
          -- One index lookup for each session, whatever the planner estimates for the table.
          offset 0
        ) old
      ))
    )
    insert into events (project_id, kind, user_id, session_id, at_millis, data, address, country_code)
    select project_id, 'activity', user_id, session_id, at_millis, data, address, country_code from used
  `);
}

/** A place as the JSON text of the column `events.data`. */
export function placeText(place: EndUserPlace | undefined): string | null {
  return place === undefined ? null : JSON.stringify(place);
}
