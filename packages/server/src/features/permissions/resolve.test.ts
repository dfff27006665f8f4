import { describe, expect, test } from 'vitest';
import { expandPermissions, type Grant, listedGrants } from './resolve.ts';

const contained = new Map<string, string[]>([
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
  ['nothing gives nothing', [], []],
  ['a system permission is itself', ['$read_members'], ['$read_members']],
  ['what is contained is held', ['member'], ['$invite_members', '$read_members', 'member']],
  ['at any depth', ['admin'], ['$invite_members', '$read_members', 'admin', 'billing', 'member']],
  ['twice is once', ['member', '$read_members'], ['$invite_members', '$read_members', 'member']],
  ['one that contains itself ends', ['itself'], ['itself']],
  ['a circle ends', ['chicken'], ['billing', 'chicken', 'egg']],
  ['an id without a definition counts for nothing', ['gone'], []],
  ['nor does one that is contained', ['half'], ['billing', 'half']],
])('%s', (_, direct, held) => {
  expect([...expandPermissions(direct, contained)].sort()).toEqual(held);
});

describe('listedGrants', () => {
  const contained = new Map([
    ['boss', ['worker', '$delete_team']],
    ['worker', []],
    ['$delete_team', []],
    ['a_', []],
    ['ab', []],
  ]);
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
      'direct grants whose definition exists, by team, user and id',
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
      'what they contain, each once per team and user',
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
      'filtered after the expansion',
      { isRecursive: true, permissionId: 'worker' },
      [grant('t1', 'ada', 'worker'), grant('t2', 'ada', 'worker')],
    ],
    ['filtered without one', { isRecursive: false, permissionId: 'worker' }, [grant('t1', 'ada', 'worker')]],
    ['nothing for a permission that nobody has', { isRecursive: true, permissionId: 'gone' }, []],
  ])('%s', (_, listing, expected) => {
    expect(listedGrants(direct, contained, listing)).toEqual(expected);
  });

  test('grants in the project have no team', () => {
    const grants = [{ userId: 'ada', permissionId: 'boss' }];
    expect(listedGrants(grants, contained, { isRecursive: true, permissionId: 'worker' })).toEqual([
      { userId: 'ada', permissionId: 'worker' },
    ]);
  });
});
