import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Attempt, DeliveryId } from './store.ts';

/** An attempt of a delivery that ended. */
export interface MadeAttempt {
  readonly delivery: DeliveryId;
  readonly attempt: Attempt;
}

/**
 * Logs accepted attempts and ends their deliveries, and the failure of their endpoints. An attempt that is in the log
 * already changes nothing.
 */
export async function recordSuccesses(db: Queryable, made: readonly MadeAttempt[]): Promise<void> {
  const attempts = made.map(({ attempt }) => attempt);
  const deliveries = made.map(({ delivery }) => delivery);
  await db.query(sql`
    with given as (
      select * from unnest(
        (select ${deliveries.map(({ projectId }) => projectId)}::text[]),
        (select ${attempts.map(({ id }) => id)}::uuid[]),
        (select ${deliveries.map(({ eventId }) => eventId)}::uuid[]),
        (select ${deliveries.map(({ endpointId }) => endpointId)}::uuid[]),
        (select ${attempts.map(({ url }) => url)}::text[]),
        (select ${attempts.map(({ isManual }) => isManual)}::boolean[]),
        (select ${attempts.map(({ answerStatus }) => answerStatus)}::int[]),
        (select ${attempts.map(({ answer }) => answer)}::text[]),
        (select ${attempts.map(({ durationMs }) => durationMs)}::int[]),
        (select ${attempts.map(({ atMillis }) => atMillis)}::bigint[])
      ) given (
        project_id, id, event_id, endpoint_id, url, is_manual, answer_status, answer, duration_ms, at_millis
      )
    ), locked as (
      select d.project_id, d.event_id, d.endpoint_id
      from (
        select distinct project_id, event_id, endpoint_id from given order by project_id, event_id, endpoint_id
      ) g
      cross join lateral (
        select project_id, event_id, endpoint_id from webhook_deliveries
        where project_id = g.project_id and event_id = g.event_id and endpoint_id is not distinct from g.endpoint_id
        for update
      ) d
    ), logged as (
      insert into webhook_attempts (
        project_id, id, event_id, endpoint_id, url, is_success, is_manual, answer_status, answer, duration_ms, at_millis
      )
      select
        project_id, g.id, event_id, endpoint_id, g.url, true, g.is_manual, g.answer_status, g.answer, g.duration_ms,
        g.at_millis
      from given g join locked using (project_id, event_id, endpoint_id)
      on conflict do nothing
      returning project_id, event_id, endpoint_id, is_manual
    ), recovered as (
      update webhook_endpoints w set failing_since_millis = null
      where (w.project_id, w.id) in (select project_id, endpoint_id from given) and w.failing_since_millis is not null
    )
    update webhook_deliveries d
    set status = 'success', attempts = d.attempts + counted.scheduled, next_attempt_at_millis = null
    from (
      select project_id, event_id, endpoint_id, count(*) filter (where not is_manual) as scheduled from logged
      group by project_id, event_id, endpoint_id
    ) counted
    where d.project_id = counted.project_id and d.event_id = counted.event_id
      and d.endpoint_id is not distinct from counted.endpoint_id
  `);
}
