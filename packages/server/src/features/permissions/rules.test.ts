import { describe, expect, test } from 'vitest';
import {
  applyDefinitionChanges,
  assertGrantable,
  assertMayList,
  createDefinition,
  type DefinitionFields,
  findDefinition,
  listDefinitions,
  removeFromConfig,
  renameTeamRole,
} from './rules.ts';
import type { DefinitionRow } from './store.ts';

const team = (id: string, containedPermissionIds: string[] = [], description = ''): DefinitionRow => ({
  id,
  scope: 'team',
  description,
  containedPermissionIds,
});
const project = (id: string): DefinitionRow => ({ ...team(id), scope: 'project' });

const definitions = [team('boss', ['worker', '$delete_team'], 'Runs it'), team('worker'), project('reader')];
const refusal = (code: string, permission_id: string) =>
  expect.objectContaining({ errorCode: code, details: { permission_id } });

describe('listDefinitions', () => {
  test('the team scope lists the system permissions, each with a description', () => {
    const listed = listDefinitions('team', definitions);
    expect(listed.map(({ id, description }) => [id, description.length > 10])).toEqual([
      ['$delete_team', true],
      ['$invite_members', true],
      ['$manage_api_keys', true],
      ['$read_members', true],
      ['$remove_members', true],
      ['$update_team', true],
      ['boss', false],
      ['worker', false],
    ]);
  });

  test('the project scope lists no system permissions', () => {
    expect(listDefinitions('project', definitions)).toEqual([project('reader')]);
  });

  test('ids are sorted with digits before letters and _ after them', () => {
    const own = ['b', '_a', 'a_', 'a', '9', ':', 'aa'].map(project);
    expect(listDefinitions('project', own).map(({ id }) => id)).toEqual(['9', ':', 'a', 'aa', 'a_', 'b', '_a']);
  });
});

describe('createDefinition', () => {
  test.each<[DefinitionFields & { id: string }, 'team' | 'project', DefinitionRow]>([
    [{ id: 'new' }, 'team', team('new')],
    [{ id: 'new' }, 'project', project('new')],
    [
      { id: 'new', description: 'New', containedPermissionIds: ['worker', '$read_members', 'worker'] },
      'team',
      team('new', ['worker', '$read_members'], 'New'),
    ],
    [
      { id: 'new', containedPermissionIds: ['reader'] },
      'project',
      { ...project('new'), containedPermissionIds: ['reader'] },
    ],
  ])('%j in %s', (fields, scope, expected) => {
    expect(createDefinition(fields, scope, definitions)).toEqual(expected);
  });

  test.each<[string, DefinitionFields & { id: string }, 'team' | 'project', unknown]>([
    ['an id of the same scope', { id: 'boss' }, 'team', refusal('PERMISSION_ID_ALREADY_EXISTS', 'boss')],
    ['an id of the other scope', { id: 'reader' }, 'team', refusal('PERMISSION_ID_ALREADY_EXISTS', 'reader')],
    ['the other way round', { id: 'boss' }, 'project', refusal('PERMISSION_ID_ALREADY_EXISTS', 'boss')],
    [
      'names the first missing contained id',
      { id: 'new', containedPermissionIds: ['worker', 'gone', 'lost'] },
      'team',
      refusal('CONTAINED_PERMISSION_NOT_FOUND', 'gone'),
    ],
    [
      'treats a contained id of the other scope as missing',
      { id: 'new', containedPermissionIds: ['reader'] },
      'team',
      refusal('CONTAINED_PERMISSION_NOT_FOUND', 'reader'),
    ],
    [
      'treats a system permission as missing in the project scope',
      { id: 'new', containedPermissionIds: ['$read_members'] },
      'project',
      refusal('CONTAINED_PERMISSION_NOT_FOUND', '$read_members'),
    ],
    [
      'treats its own id as missing, because it does not exist yet',
      { id: 'new', containedPermissionIds: ['new'] },
      'team',
      refusal('CONTAINED_PERMISSION_NOT_FOUND', 'new'),
    ],
    [
      'checks the id before the contained ids',
      { id: 'boss', containedPermissionIds: ['gone'] },
      'team',
      refusal('PERMISSION_ID_ALREADY_EXISTS', 'boss'),
    ],
  ])('%s', (_, fields, scope, expected) => {
    expect(() => createDefinition(fields, scope, definitions)).toThrow(expected as Error);
  });
});

describe('applyDefinitionChanges', () => {
  const boss = definitions[0];

  test.each<[string, DefinitionFields, object]>([
    ['an empty change changes nothing', {}, {}],
    ['the unchanged id is accepted', { id: 'boss' }, {}],
    ['a free id is accepted', { id: 'chief' }, { id: 'chief' }],
    ['a new description keeps the other fields', { description: 'Owns it' }, { description: 'Owns it' }],
    ['a description can be emptied', { description: '' }, { description: '' }],
    ['new contained ids keep the other fields', { containedPermissionIds: [] }, { containedPermissionIds: [] }],
    ['a definition can contain itself', { containedPermissionIds: ['boss'] }, { containedPermissionIds: ['boss'] }],
    [
      'a renamed definition contains itself by its old id',
      { id: 'chief', containedPermissionIds: ['boss'] },
      { id: 'chief', containedPermissionIds: ['boss'] },
    ],
  ])('%s', (_, fields, expected) => {
    expect(applyDefinitionChanges('boss', fields, 'team', definitions)).toEqual({ ...boss, ...expected });
  });

  test.each<[string, string, 'team' | 'project', DefinitionFields, unknown]>([
    ['an unknown id', 'gone', 'team', {}, refusal('PERMISSION_NOT_FOUND', 'gone')],
    ['one of the other scope', 'reader', 'team', {}, refusal('PERMISSION_NOT_FOUND', 'reader')],
    ['a system permission', '$read_members', 'team', {}, refusal('PERMISSION_NOT_FOUND', '$read_members')],
    ['an id in use', 'boss', 'team', { id: 'worker' }, refusal('PERMISSION_ID_ALREADY_EXISTS', 'worker')],
    [
      'an id that is used in the other scope is refused',
      'boss',
      'team',
      { id: 'reader' },
      refusal('PERMISSION_ID_ALREADY_EXISTS', 'reader'),
    ],
    [
      'the new id cannot be contained before the rename',
      'boss',
      'team',
      { id: 'chief', containedPermissionIds: ['chief'] },
      refusal('CONTAINED_PERMISSION_NOT_FOUND', 'chief'),
    ],
  ])('%s', (_, id, scope, fields, expected) => {
    expect(() => applyDefinitionChanges(id, fields, scope, definitions)).toThrow(expected as Error);
  });
});

test('findDefinition finds definitions of its own scope only', () => {
  expect(findDefinition('reader', 'project', definitions)).toEqual(project('reader'));
  expect(() => findDefinition('reader', 'team', definitions)).toThrow(
    refusal('PERMISSION_NOT_FOUND', 'reader') as unknown as Error,
  );
});

describe('removeFromConfig', () => {
  test.each<[object, object | undefined]>([
    [{}, undefined],
    [{ teamCreatorDefaultPermissions: ['other'] }, undefined],
    [
      { signUpEnabled: true, userDefaultPermissions: ['x', 'y'] },
      { signUpEnabled: true, userDefaultPermissions: ['y'] },
    ],
    [{ teamRoles: ['x', 'y'] }, { teamRoles: ['y'] }],
    [
      {
        teamCreatorDefaultPermissions: ['x'],
        teamMemberDefaultPermissions: ['a', 'x', 'b'],
        userDefaultPermissions: ['x'],
      },
      { teamCreatorDefaultPermissions: [], teamMemberDefaultPermissions: ['a', 'b'], userDefaultPermissions: [] },
    ],
  ])('%j becomes %j', (config, expected) => {
    const before = structuredClone(config);
    expect(removeFromConfig(config, 'x')).toEqual(expected);
    expect(config).toEqual(before);
  });
});

describe('renameTeamRole', () => {
  test.each<[object, object | undefined]>([
    [{ teamRoles: ['owner', 'team_admin', 'other'] }, { teamRoles: ['owner', 'root', 'other'] }],
    [{ teamRoles: ['owner'] }, undefined],
    [{ teamRoles: [] }, undefined],
    [{ teamRoles: ['root', 'team_admin'] }, { teamRoles: ['root'] }],
    [
      { teamCreatorDefaultPermissions: ['team_admin'] },
      { teamCreatorDefaultPermissions: ['team_admin'], teamRoles: ['root', 'team_member'] },
    ],
  ])('after the rename of team_admin to root, %j becomes %j', (config, expected) => {
    expect(renameTeamRole(config, { from: 'team_admin', to: 'root' })).toEqual(expected);
  });
});

describe('assertGrantable', () => {
  test.each([
    ['worker', 'team', 'team'],
    ['reader', 'project', 'project'],
    ['$read_members', 'team', undefined],
  ] as const)('%s in the %s scope, where it is of scope %s', (id, expected, actual) => {
    expect(() => assertGrantable(id, expected, actual)).not.toThrow();
  });

  test.each([
    ['gone', 'team', undefined, 'PERMISSION_NOT_FOUND', { permission_id: 'gone' }],
    ['gone', 'project', undefined, 'PERMISSION_NOT_FOUND', { permission_id: 'gone' }],
    ['$read_members', 'project', undefined, 'PERMISSION_NOT_FOUND', { permission_id: '$read_members' }],
    [
      'reader',
      'team',
      'project',
      'WRONG_PERMISSION_SCOPE',
      { permission_id: 'reader', expected_scope: 'team', actual_scope: 'project' },
    ],
    [
      'worker',
      'project',
      'team',
      'WRONG_PERMISSION_SCOPE',
      { permission_id: 'worker', expected_scope: 'project', actual_scope: 'team' },
    ],
  ] as const)('%s in the %s scope, where it is of scope %s: %s', (id, expected, actual, errorCode, details) => {
    expect(() => assertGrantable(id, expected, actual)).toThrow(expect.objectContaining({ errorCode, details }));
  });
});

describe('assertMayList', () => {
  test.each([
    ['client', 'ada', 'ada', 'passes'],
    ['client', 'ada', 'bob', 403],
    ['client', 'ada', undefined, 403],
    ['client', undefined, undefined, 'CANNOT_GET_OWN_USER_WITHOUT_USER'],
    ['client', undefined, 'ada', 'CANNOT_GET_OWN_USER_WITHOUT_USER'],
    ['server', undefined, undefined, 'passes'],
    ['server', 'ada', 'bob', 'passes'],
    ['admin', undefined, 'bob', 'passes'],
  ] as const)('%s as %s for %s: %s', (level, userId, ofUserId, verdict) => {
    const decide = () => assertMayList({ level, userId }, ofUserId);
    if (verdict === 'passes') expect(decide).not.toThrow();
    else if (verdict === 403) expect(decide).toThrow(expect.objectContaining({ status: 403 }));
    else expect(decide).toThrow(expect.objectContaining({ errorCode: verdict }));
  });
});
