import { expect, test } from 'vitest';
import { planGrants } from '../teams/detail/plan-grants.ts';
import { changeIds } from './change-ids.ts';

test('a change of a list of permissions keeps what another admin added and removed meanwhile', () => {
  const change = planGrants(['read', 'write', 'delete'], ['read', 'write', 'invite']);
  expect(changeIds(['read', 'delete', 'export', 'invite'], change)).toEqual(['read', 'export', 'invite']);
});
