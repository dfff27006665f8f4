import { expect, test } from 'vitest';
import { createEndpointLimits } from './endpoint-limits.ts';

test('an endpoint that fails gets one request at a time until it accepts one', () => {
  const endpoints = createEndpointLimits({ clock: { now: () => 0 } });
  endpoints.record('a', true);
  endpoints.record('b', false);
  endpoints.record('c', false);
  expect([...endpoints.limits()]).toEqual([
    ['b', 1],
    ['c', 1],
  ]);
  endpoints.record('b', true);
  expect([...endpoints.limits()]).toEqual([['c', 1]]);
});

test('an endpoint is no longer listed 15 minutes after its last failure', () => {
  let nowMillis = 0;
  const endpoints = createEndpointLimits({ clock: { now: () => nowMillis } });
  endpoints.record('a', false);
  endpoints.record('b', false);
  nowMillis += 60_000;
  endpoints.record('a', false);
  nowMillis += 14 * 60_000;
  expect([...endpoints.limits()]).toEqual([['a', 1]]);
  nowMillis += 60_000;
  expect([...endpoints.limits()]).toEqual([]);
});
