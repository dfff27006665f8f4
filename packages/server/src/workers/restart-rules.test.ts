import { expect, test } from 'vitest';
import { crashWindowMs, maxCrashes, planRestart } from './restart-rules.ts';

const nowMs = 1_000_000;

test.each([
  { crashes: 1, plan: { delayMs: 100 } },
  { crashes: 2, plan: { delayMs: 200 } },
  { crashes: maxCrashes, plan: { delayMs: 1_600 } },
  { crashes: maxCrashes + 1, plan: 'give up' },
])('after $crashes crashes at once the plan is $plan', ({ crashes, plan }) => {
  expect(planRestart(new Array(crashes).fill(nowMs), nowMs)).toEqual(plan);
});

test('crashes outside the window do not count', () => {
  const old = new Array(maxCrashes).fill(nowMs - crashWindowMs);
  expect(planRestart([...old, nowMs], nowMs)).toEqual({ delayMs: 100 });
});
