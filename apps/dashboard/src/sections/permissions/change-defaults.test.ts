import { expect, test } from 'vitest';
import { planGrants } from '../teams/detail/plan-grants.ts';
import { changeDefaults } from './change-defaults.ts';

test('a change of default permissions keeps what another admin added and removed meanwhile', () => {
  const change = planGrants(['read', 'write', 'delete'], ['read', 'write', 'invite']);
  const stored = [{ id: 'read' }, { id: 'delete' }, { id: 'export' }, { id: 'invite' }];
  expect(changeDefaults(stored, change)).toEqual([{ id: 'read' }, { id: 'export' }, { id: 'invite' }]);
});
