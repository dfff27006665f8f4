import { webhookRetryDelaysMs } from '@tessera/protocol';
import { expect, test } from 'vitest';
import { type AttemptContext, fromMessageId, planAfterAttempt, retryDelayMs, toMessageId } from './rules.ts';

const day = 24 * 3600 * 1000;
const nowMillis = 100 * day;

const first: AttemptContext = {
  isManual: false,
  attempts: 0,
  status: 'pending',
  failingSinceMillis: null,
  nowMillis,
  chance: 0,
};

test.each<[string, number, Partial<AttemptContext>, object]>([
  ['a success', 200, {}, { status: 'success', retryInMs: null, failingSinceMillis: null, disables: false }],
  ['a success without content', 204, {}, { status: 'success', retryInMs: null }],
  [
    'a success after failures',
    299,
    { attempts: 5, failingSinceMillis: 1 },
    { status: 'success', failingSinceMillis: null },
  ],
  ['a redirect', 302, {}, { status: 'pending', retryInMs: 5_000, failingSinceMillis: nowMillis, disables: false }],
  ['a refusal', 400, {}, { status: 'pending', retryInMs: 5_000 }],
  ['no response', 0, { attempts: 1 }, { status: 'pending', retryInMs: 300_000 }],
  ['the last failure', 500, { attempts: 7 }, { status: 'fail', retryInMs: null, disables: false }],
  [
    'the last failure just before five days',
    500,
    { attempts: 7, failingSinceMillis: nowMillis - 5 * day + 1 },
    { status: 'fail', retryInMs: null, disables: false },
  ],
  [
    'the last failure after five days',
    500,
    { attempts: 7, failingSinceMillis: nowMillis - 5 * day },
    { status: 'fail', retryInMs: null, disables: true },
  ],
  [
    'a failure after five days that is retried',
    500,
    { attempts: 6, failingSinceMillis: nowMillis - 5 * day },
    { status: 'pending', disables: false },
  ],
  [
    'a failed manual attempt after five days and all retries',
    500,
    { isManual: true, status: 'fail', attempts: 8, failingSinceMillis: nowMillis - 5 * day },
    { status: 'fail', retryInMs: null, disables: false },
  ],
  ['a manual attempt with a 410 response', 410, { isManual: true, status: 'fail' }, { status: 'fail', disables: true }],
  ['a 410 response', 410, {}, { status: 'fail', retryInMs: null, disables: true }],
  ['a successful manual attempt', 200, { isManual: true, status: 'fail' }, { status: 'success', retryInMs: null }],
  ['a failed manual attempt while retries wait', 500, { isManual: true }, { status: 'pending', retryInMs: null }],
  [
    'a failed manual attempt after all retries',
    500,
    { isManual: true, status: 'fail', attempts: 8 },
    { status: 'fail', retryInMs: null },
  ],
  [
    'a failed manual attempt of a successful delivery',
    500,
    { isManual: true, status: 'success' },
    { status: 'success', retryInMs: null },
  ],
])('the plan after %s', (_, status, facts, expected) => {
  expect(planAfterAttempt({ status, answer: '', durationMs: 1 }, { ...first, ...facts })).toMatchObject(expected);
});

test('control 87: retries go on for more than a day, with random jitter', () => {
  const earliest = webhookRetryDelaysMs.map((_, attempts) => retryDelayMs(attempts, 0) ?? 0);
  const latest = webhookRetryDelaysMs.map((_, attempts) => retryDelayMs(attempts, 1) ?? 0);
  expect(earliest.reduce((sum, delayMs) => sum + delayMs)).toBeGreaterThan(day);
  earliest.forEach((delayMs, index) => {
    expect(latest[index]).toBe(delayMs * 1.2);
  });
  expect(retryDelayMs(webhookRetryDelaysMs.length, 0.5)).toBeNull();
});

test.each([
  ['00000000-0000-0000-0000-000000000000', `msg_${'0'.repeat(27)}`],
  ['00000000-0000-0000-0000-00000000003e', `msg_${'0'.repeat(25)}10`],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'msg_000007n42DGM5Tflk9n8mt7Fhc7'],
])('the message id of %s has 27 digits of base 62 and converts back to the UUID', (uuid, id) => {
  expect(toMessageId(uuid)).toBe(id);
  expect(fromMessageId(id)).toBe(uuid);
});

test.each([
  '',
  'msg_',
  `msg_${'0'.repeat(26)}`,
  `msg_${'0'.repeat(28)}`,
  `msg_${'z'.repeat(27)}`,
  `ep_${'0'.repeat(27)}`,
  `msg_${'-'.repeat(27)}`,
])('%j is not a message id', id => {
  expect(fromMessageId(id)).toBeUndefined();
});
