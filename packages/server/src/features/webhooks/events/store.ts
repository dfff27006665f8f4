import type { Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { addJobRows } from '../../../platform/queue/add-job.ts';
import { projectFlag } from '../../../platform/queue/work.ts';

/** Name of the jobs that fan an event out to its receivers. */
export const eventTask = 'webhook_event';

/** A connection setting, because `publishEvent` has only the transaction. On: all events go to a Svix server. */
export const forwardEventsToSvix = { 'tessera.hands_events_on': 'on' };

/** An event of a project that an endpoint may receive. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly data: string;
  readonly nowMillis: number;
}

/** Inserts an event and the job that fans it out, if an enabled endpoint or a Svix server receives its type. */
export async function insertEvent(tx: Transaction, projectId: string, event: NewEvent): Promise<void> {
  const { id, type, data, nowMillis } = event;
  const payload = JSON.stringify({ projectId, id });
  await tx.query(sql`
    with event as (
      insert into webhook_events (project_id, id, type, data, created_at_millis)
      select ${projectId}, ${id}, ${type}, ${data}, ${nowMillis}
      where current_setting('tessera.hands_events_on', true) = 'on' or exists (
        select 1 from webhook_endpoints
        where project_id = ${projectId} and not is_disabled and deleted_at_millis is null
          and (filter_types is null or ${type} = any (filter_types))
      )
      returning id
    ), job as (
      select ${eventTask}::text as task, ${payload}::json as payload, 0 as priority, array[${projectFlag(projectId)}] as flags
      from event
    )
    ${addJobRows}
  `);
}

/** Inserts an event without a fan-out. Its deliveries are made one by one. */
export async function insertUnsentEvent(tx: Transaction, projectId: string, event: NewEvent): Promise<void> {
  await tx.query(sql`
    insert into webhook_events (project_id, id, type, data, created_at_millis)
    values (${projectId}, ${event.id}, ${event.type}, ${event.data}, ${event.nowMillis})
  `);
}
