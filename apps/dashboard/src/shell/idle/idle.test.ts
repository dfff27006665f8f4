import { expect, test } from 'vitest';
import { idleLimitMs, idleStateAt, idleWarningMs } from './idle.ts';

const start = 1_000_000;

test.each([
  ['at once', 0, { name: 'active', nextCheckMs: idleLimitMs - idleWarningMs }],
  ['just before the warning', idleLimitMs - idleWarningMs - 1, { name: 'active', nextCheckMs: 1 }],
  ['at the warning', idleLimitMs - idleWarningMs, { name: 'warned', leftMs: idleWarningMs }],
  ['a moment before the limit', idleLimitMs - 1, { name: 'warned', leftMs: 1 }],
  ['at the limit', idleLimitMs, { name: 'ended' }],
  ['after a night', 8 * 3_600_000, { name: 'ended' }],
  ['with a clock that was set back', -5_000, { name: 'active', nextCheckMs: idleLimitMs - idleWarningMs }],
])('the idle state %s', (_, idleMs, state) => {
  expect(idleStateAt(start + idleMs, start)).toEqual(state);
});
