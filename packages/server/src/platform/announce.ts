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

/** Notes what happened, in the transaction that did it: told to webhooks if and only if it commits. */
export async function announce(tx: Transaction, { projectId, type, data, nowMillis }: Announcement): Promise<void> {
  await tx.query(sql`
    insert into webhook_events (project_id, id, type, data, created_at_millis)
    values (${projectId}, ${randomUUID()}, ${type}, ${JSON.stringify(data)}, ${nowMillis})
  `);
}
