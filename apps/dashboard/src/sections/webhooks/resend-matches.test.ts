import { expect, test } from 'vitest';
import type { Delivery } from './queries.ts';
import { resendMatches } from './resend-matches.ts';

const now = new Date('2026-03-01T12:00:00Z');

function deliveryOf(id: string): Delivery {
  return { id, eventType: 'user.created', payload: {}, timestamp: now, status: 'fail', nextAttemptAt: null };
}

/** Two pages of messages, newest first; `refuses` names a message whose resend fails. */
function appWith(refuses?: string) {
  const resent: string[] = [];
  return {
    resent,
    listWebhookEndpointMessages: async (_: string, { cursor }: { cursor?: string } = {}) =>
      cursor === undefined
        ? Object.assign([deliveryOf('c'), deliveryOf('b')], { nextCursor: 'next' })
        : Object.assign([deliveryOf('a')], { nextCursor: null }),
    resendWebhook: async (id: string) => {
      if (id === refuses) throw new Error('too many requests');
      resent.push(id);
    },
  };
}

test('a range of messages over two pages is resent oldest first', async () => {
  const app = appWith();
  expect(await resendMatches(app, 'ep', { status: 'fail' }, now)).toEqual({ done: 3 });
  expect(app.resent).toEqual(['a', 'b', 'c']);
});

test('a refused resend stops the range and is reported with the number of queued messages', async () => {
  const app = appWith('b');
  const result = await resendMatches(app, 'ep', {}, now);
  expect(result).toEqual({ done: 1, failure: new Error('too many requests') });
});
