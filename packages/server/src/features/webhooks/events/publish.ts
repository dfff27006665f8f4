import { randomUUID } from 'node:crypto';
import type { WebhookEventType } from '@tessera/protocol';
import type { Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

export interface DomainEvent {
  readonly projectId: string;
  readonly type: WebhookEventType;
  /** The `data` of the message, as in docs/contract/emails-webhooks-metrics.md#events. */
  readonly data: object;
  readonly nowMillis: number;
}

/** Name of the jobs that fan an event out to its receivers. */
export const eventTask = 'webhook_event';

/** A connection setting, because `publishEvent` has only the transaction. On: all events go to a Svix server. */
export const forwardEventsToSvix = { 'tessera.hands_events_on': 'on' };

/**
 * Stores an event in the transaction that caused it, with the job that delivers it. One statement. Nothing is stored
 * when the project has no enabled endpoint for the type and no Svix server is configured.
 */
export async function publishEvent(tx: Transaction, { projectId, type, data, nowMillis }: DomainEvent): Promise<void> {
  const id = randomUUID();
  const payload = JSON.stringify({ projectId, id });
  await tx.query(sql`
    with event as (
      insert into webhook_events (project_id, id, type, data, created_at_millis)
      select ${projectId}, ${id}, ${type}, ${eventData(data)}, ${nowMillis}
      where current_setting('tessera.hands_events_on', true) = 'on' or exists (
        select 1 from webhook_endpoints
        where project_id = ${projectId} and not is_disabled and deleted_at_millis is null
          and (filter_types is null or ${type} = any (filter_types))
      )
      returning id
    )
    select graphile_worker.add_job(${eventTask}, payload => ${payload}::json) from event
  `);
}

/** Replaces image data URLs in events by null, because each stored event would hold a copy of the image. */
function eventData(data: object): string {
  return JSON.stringify(data, (key, value) => (key === 'profile_image_url' && isDataUrl(value) ? null : value));
}

function isDataUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'data:';
}
