import { randomUUID } from 'node:crypto';
import { parseUrl } from '@tessera/protocol';
import type { DomainEvent } from '../../../core/domain-event.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { insertEvent } from './store.ts';

/**
 * Stores an event in the transaction that caused it, with the job that delivers it. One statement. Nothing is stored
 * when the project has no enabled endpoint for the type and no Svix server is configured.
 */
export async function publishEvent(tx: Transaction, { projectId, type, data, nowMillis }: DomainEvent): Promise<void> {
  await insertEvent(tx, projectId, { id: randomUUID(), type, data: eventData(data), nowMillis });
}

/** Replaces image data URLs in events by null, because each stored event would hold a copy of the image. */
function eventData(data: object): string {
  return JSON.stringify(data, (key, value) => (key === 'profile_image_url' && isDataUrl(value) ? null : value));
}

function isDataUrl(value: unknown): boolean {
  return typeof value === 'string' && parseUrl(value)?.protocol === 'data:';
}
