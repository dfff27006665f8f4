import { expect, test } from 'vitest';
import { planGrants } from './plan-grants.ts';

test.each([
  [[], [], { grant: [], revoke: [] }],
  [['a', 'b'], ['b', 'a'], { grant: [], revoke: [] }],
  [['a', 'b'], ['b', 'c'], { grant: ['c'], revoke: ['a'] }],
])('from the grants %j to %j, only the difference is granted and revoked', (granted, wanted, expected) => {
  expect(planGrants(granted, wanted)).toEqual(expected);
});
