import { expect, test } from 'vitest';
import { idleStateAt } from './idle.ts';

const minuteMs = 60_000;
const start = 1_000_000;

test.each([
  ['at once', 0, { name: 'active', nextCheckMs: 28 * minuteMs }],
  ['just before the warning', 28 * minuteMs - 1, { name: 'active', nextCheckMs: 1 }],
  ['at the warning', 28 * minuteMs, { name: 'warned', leftMs: 2 * minuteMs }],
  ['a moment before the limit', 30 * minuteMs - 1, { name: 'warned', leftMs: 1 }],
  ['at the limit', 30 * minuteMs, { name: 'ended' }],
  ['after a night', 8 * 3_600_000, { name: 'ended' }],
  ['with a clock that was set back', -5_000, { name: 'active', nextCheckMs: 28 * minuteMs }],
])('the idle state %s', (_, idleMs, state) => {
  expect(idleStateAt(start + idleMs, start)).toEqual(state);
});
