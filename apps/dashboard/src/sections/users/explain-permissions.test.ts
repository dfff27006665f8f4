import { expect, test } from 'vitest';
import { explainPermissions } from './explain-permissions.ts';

const definitions = [
  { id: 'admin', containedPermissionIds: ['edit', 'invite'] },
  { id: 'edit', containedPermissionIds: ['read'] },
  { id: 'invite', containedPermissionIds: [] },
  { id: 'read', containedPermissionIds: ['edit'] },
];

test.each([
  ['no grant', [], []],
  ['a grant without a definition', ['gone'], [{ id: 'gone', through: [] }]],
  [
    'a grant that contains others, with a cycle among them',
    ['admin'],
    [
      { id: 'admin', through: [] },
      { id: 'edit', through: ['admin'] },
      { id: 'invite', through: ['admin'] },
      { id: 'read', through: ['admin', 'edit'] },
    ],
  ],
  [
    'a direct grant of a contained permission, which is the shorter reason',
    ['admin', 'read'],
    [
      { id: 'admin', through: [] },
      { id: 'read', through: [] },
      { id: 'edit', through: ['admin'] },
      { id: 'invite', through: ['admin'] },
    ],
  ],
])('the permissions of a user with %s are explained', (_, direct, expected) => {
  expect(explainPermissions(direct, definitions)).toEqual(expected);
});
