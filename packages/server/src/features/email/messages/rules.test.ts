import { expect, test } from 'vitest';
import { countReachable, planBatch } from './rules.ts';

test('a message reaches the users with an address who have not unsubscribed', () => {
  expect(countReachable({ matching: 10, withoutAddress: 3, unsubscribed: 2 })).toBe(5);
});

test.each([
  ['a deleted message', undefined, 'ended'],
  ['a canceled message', { state: 'canceled', waiting: 0 }, 'ended'],
  ['a sent message', { state: 'sent', waiting: 0 }, 'ended'],
  ['a message with many copies in the queue', { state: 'sending', waiting: 2000 }, 'wait'],
  ['a message with room in the queue', { state: 'sending', waiting: 1999 }, 'next'],
] as const)('the job of %s decides: %o, %s', (_, backlog, step) => {
  expect(planBatch(backlog, { waitingMax: 2000 })).toBe(step);
});
