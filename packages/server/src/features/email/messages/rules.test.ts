import { expect, test } from 'vitest';
import { countReachable, planBatch } from './rules.ts';

test('a message reaches the users with an address who have not unsubscribed', () => {
  expect(countReachable({ matching: 10, withoutAddress: 3, unsubscribed: 2 })).toBe(5);
});

test.each([
  ['a deleted message', undefined, 0, 'ended'],
  ['a canceled message', { state: 'canceled' }, 0, 'ended'],
  ['a sent message', { state: 'sent' }, 0, 'ended'],
  ['a message with many copies in the queue', { state: 'sending' }, 2000, 'wait'],
  ['a message with room in the queue', { state: 'sending' }, 1999, 'next'],
] as const)('the job of %s decides: %o, %i waiting, %s', (_, message, waiting, step) => {
  expect(planBatch(message, { waiting, waitingMax: 2000 })).toBe(step);
});
