import { expect, test } from 'vitest';
import { createEndpointLimits } from './endpoint-limits.ts';

test('an endpoint that fails gets one request at a time until it accepts one', () => {
  const endpoints = createEndpointLimits();
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
