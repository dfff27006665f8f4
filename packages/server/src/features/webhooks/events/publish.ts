import { randomBytes } from 'node:crypto';
import type { DomainEvent } from '../../../core/domain-event.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { insertEvent } from './store.ts';

/**
 * Stores an event in the transaction that caused it, with the job that delivers it. One statement. Nothing is stored
 * when the project has no enabled endpoint for the type and no Svix server is configured.
 */
export async function publishEvent(tx: Transaction, { projectId, type, data, nowMillis }: DomainEvent): Promise<void> {
  await insertEvent(tx, projectId, { id: nextId(nowMillis), type, data: JSON.stringify(data), nowMillis });
}

let publishedCount = 0;

/**
 * A UUID of version 7 with a counter behind the time. Lists of messages are ordered by time and id, and the events of one
 * change have the same time: the counter keeps their order.
 */
function nextId(nowMillis: number): string {
  const time = nowMillis.toString(16).padStart(12, '0');
  const counter = (publishedCount++ % 0x100_0000).toString(16).padStart(6, '0');
  const random = randomBytes(6).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.slice(0, 3)}-8${counter.slice(3)}-${random}`;
}
