import { expect, test } from 'vitest';
import { deliveryState, isFailing } from './endpoint-health.ts';

const attempts = (...states: ('success' | 'fail')[]) => states.map(status => ({ messageId: 'msg_1', status }));

test.each([
  ['without attempts', attempts(), false],
  ['whose only attempt failed', attempts('fail'), true],
  ['whose newest attempt succeeded', attempts('success', 'fail', 'fail'), false],
  ['with a success among the newest attempts', attempts('fail', 'fail', 'success'), false],
  ['whose last success is long ago', attempts('fail', 'fail', 'fail', 'fail', 'fail', 'success'), true],
])('an endpoint %s is failing: %s', (_, newestFirst, expected) => {
  expect(isFailing(newestFirst)).toBe(expected);
});

test.each([
  ['pending', 'msg_1', 'retrying'],
  ['pending', 'msg_2', 'pending'],
  ['success', 'msg_1', 'success'],
  ['fail', 'msg_1', 'fail'],
] as const)('a delivery in state %s of %s, after a failed attempt of msg_1, is shown as %s', (status, id, expected) => {
  expect(deliveryState({ id, status }, attempts('fail'))).toBe(expected);
});
