import { expect, it } from 'vitest';
import { neverExpires } from './never-expires.ts';

const day = 86_400_000;

it.each([
  [49 * 365, false],
  [51 * 365, true],
  [200 * 365, true],
])('an expiry in %i days counts as never: %s', (days, never) => {
  const nowMs = 5_000 * day;
  expect(neverExpires(new Date(nowMs + days * day), nowMs)).toBe(never);
});
