import { describe, expect, test } from 'vitest';
import { createPermissionGraph, expandPermissions, type Grant, listGrants } from './resolve.ts';

const definitions = new Map<string, string[]>([
  ['$read_members', []],
  ['$invite_members', []],
  ['member', ['$read_members', '$invite_members']],
  ['admin', ['member', 'billing']],
  ['billing', []],
  ['itself', ['itself']],
  ['chicken', ['egg']],
  ['egg', ['chicken', 'billing']],
  ['half', ['gone', 'billing']],
]);

test.each<[string, string[], string[]]>([
  ['no direct permission holds nothing', [], []],
  ['a system permission holds itself', ['$read_members'], ['$read_members']],
  ['a contained permission is held', ['member'], ['$invite_members', '$read_members', 'member']],
  [
    'a permission that is contained at any depth is held',
    ['admin'],
    ['$invite_members', '$read_members', 'admin', 'billing', 'member'],
  ],
  [
    'a permission that is granted and contained is listed once',
    ['member', '$read_members'],
    ['$invite_members', '$read_members', 'member'],
  ],
  ['a permission that contains itself is walked once', ['itself'], ['itself']],
  ['a cycle of permissions is walked once', ['chicken'], ['billing', 'chicken', 'egg']],
  ['a direct id without a definition is skipped', ['gone'], []],
  ['a contained id without a definition is skipped', ['half'], ['billing', 'half']],
])('%s', (_, direct, held) => {
  expect([...expandPermissions(direct, createPermissionGraph(definitions))].sort()).toEqual(held);
});

describe('listGrants', () => {
  const graph = createPermissionGraph(
    new Map([
      ['boss', ['worker', '$delete_team']],
      ['worker', []],
      ['$delete_team', []],
      ['a_', []],
      ['ab', []],
    ]),
  );
  const toEntry = (holder: Grant, permissionId: string): Grant => ({ ...holder, permissionId });
  const grant = (teamId: string, userId: string, permissionId: string): Grant => ({ teamId, userId, permissionId });
  const direct = [
    grant('t1', 'ada', 'worker'),
    grant('t1', 'ada', 'boss'),
    grant('t1', 'bob', 'gone'),
    grant('t1', 'bob', 'a_'),
    grant('t1', 'bob', 'ab'),
    grant('t2', 'ada', 'boss'),
  ];

  test.each<[string, { isRecursive: boolean; permissionId: string | undefined }, Grant[]]>([
    [
      'returns direct grants with a definition, by team, user and id',
      { isRecursive: false, permissionId: undefined },
      [
        grant('t1', 'ada', 'boss'),
        grant('t1', 'ada', 'worker'),
        grant('t1', 'bob', 'ab'),
        grant('t1', 'bob', 'a_'),
        grant('t2', 'ada', 'boss'),
      ],
    ],
    [
      'returns contained permissions, each once per team and user',
      { isRecursive: true, permissionId: undefined },
      [
        grant('t1', 'ada', '$delete_team'),
        grant('t1', 'ada', 'boss'),
        grant('t1', 'ada', 'worker'),
        grant('t1', 'bob', 'ab'),
        grant('t1', 'bob', 'a_'),
        grant('t2', 'ada', '$delete_team'),
        grant('t2', 'ada', 'boss'),
        grant('t2', 'ada', 'worker'),
      ],
    ],
    [
      'applies the filter after the expansion',
      { isRecursive: true, permissionId: 'worker' },
      [grant('t1', 'ada', 'worker'), grant('t2', 'ada', 'worker')],
    ],
    [
      'applies the filter to direct grants without an expansion',
      { isRecursive: false, permissionId: 'worker' },
      [grant('t1', 'ada', 'worker')],
    ],
    ['returns an empty list for a permission that no user holds', { isRecursive: true, permissionId: 'gone' }, []],
  ])('%s', (_, listing, expected) => {
    expect([...listGrants(direct, graph, listing, toEntry)]).toEqual(expected);
  });

  test('grants in the project have no team id', () => {
    const grants = [{ userId: 'ada', permissionId: 'boss' }];
    expect([...listGrants(grants, graph, { isRecursive: true, permissionId: 'worker' }, toEntry)]).toEqual([
      { userId: 'ada', permissionId: 'worker' },
    ]);
  });
});
