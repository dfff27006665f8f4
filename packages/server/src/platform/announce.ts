import { randomUUID } from 'node:crypto';
import type { WebhookEventType } from '@tessera/protocol';
import type { Transaction } from './db.ts';
import { sql } from './sql.ts';

export interface Announcement {
  readonly projectId: string;
  readonly type: WebhookEventType;
  /** As it goes over the wire: `{ type, data }`. */
  readonly data: object;
  readonly nowMillis: number;
}

/** Name of the jobs that tell an event to whom it concerns. */
export const eventTask = 'webhook_event';

/** Where events go is a setting of each connection, since whoever announces knows only the transaction. */
export const handsEventsOn = { 'tessera.hands_events_on': 'on' };

/**
 * Notes what happened, in the transaction that did it: told to webhooks if and only if it commits. One statement; a
 * job comes of it only where somebody listens.
 */
export async function announce(tx: Transaction, { projectId, type, data, nowMillis }: Announcement): Promise<void> {
  const id = randomUUID();
  const payload = JSON.stringify({ projectId, id });
  await tx.query(sql`
    with event as (
      insert into webhook_events (project_id, id, type, data, created_at_millis)
      values (${projectId}, ${id}, ${type}, ${JSON.stringify(data)}, ${nowMillis})
    )
    select graphile_worker.add_job(${eventTask}, payload => ${payload}::json)
    where current_setting('tessera.hands_events_on', true) = 'on' or exists (
      select 1 from webhook_endpoints
      where project_id = ${projectId} and not is_disabled and deleted_at_millis is null
    )
  `);
}
