import type { OwnedProject } from '../../data/owner.tsx';
import { type DeliverySearch, deliveryOptions } from './search.ts';

/** The calls that {@link resendMatches} makes. */
type ResendApp = Pick<OwnedProject['app'], 'listWebhookEndpointMessages' | 'resendWebhook'>;

interface Resent {
  readonly done: number;
  /** Why it stopped before the end; undefined when every message is queued. */
  readonly failure?: unknown;
}

/**
 * Resends each message for an endpoint that matches the filters, oldest first. The ids are read before the first message
 * is sent, because a resent message changes its state. It stops at the first error, such as the rate limit.
 */
export async function resendMatches(
  app: ResendApp,
  endpointId: string,
  search: DeliverySearch,
  now: Date = new Date(),
): Promise<Resent> {
  const ids = await matchingIds(app, endpointId, search, now);
  let done = 0;
  try {
    for (const id of ids.reverse()) {
      await app.resendWebhook(id, endpointId);
      done += 1;
    }
  } catch (failure) {
    return { done, failure };
  }
  return { done };
}

async function matchingIds(app: ResendApp, endpointId: string, search: DeliverySearch, now: Date): Promise<string[]> {
  const ids: string[] = [];
  // Messages that arrive meanwhile are not part of the confirmed range.
  const options = { ...deliveryOptions(search, now), before: now, limit: 250 };
  let cursor: string | null | undefined;
  do {
    const page = await app.listWebhookEndpointMessages(endpointId, { ...options, ...(cursor ? { cursor } : {}) });
    ids.push(...page.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor);
  return ids;
}
