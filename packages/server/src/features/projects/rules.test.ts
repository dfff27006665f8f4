import { describe, expect, test } from 'vitest';
import {
  addedDefaultPermissions,
  applyKeySetChanges,
  applyProjectChanges,
  assertInternalUser,
  assertMayCreateProject,
  replaceManagedProjects,
} from './rules.ts';
import type { ProjectRecord } from './store.ts';

describe('a change of a project', () => {
  const project: ProjectRecord = {
    id: 'an id',
    displayName: 'Old',
    description: 'About',
    isProductionMode: true,
    config: { passkeyEnabled: true, refusesWeakPasswords: false },
    createdAtMillis: 1,
  };

  test.each<[string, Parameters<typeof applyProjectChanges>[1], Partial<ProjectRecord>]>([
    ['an empty change changes nothing', {}, {}],
    ['an undefined field stays', { displayName: undefined, config: undefined }, {}],
    ['an empty text replaces a text', { displayName: '', description: '' }, { displayName: '', description: '' }],
    ['false replaces true', { isProductionMode: false }, { isProductionMode: false }],
    [
      'settings are replaced one by one',
      { config: { passkeyEnabled: false, emailTheme: 'default-dark' } },
      { config: { passkeyEnabled: false, refusesWeakPasswords: false, emailTheme: 'default-dark' } },
    ],
    [
      'a setting that is named and undefined is unset',
      { config: { refusesWeakPasswords: undefined } },
      { config: { passkeyEnabled: true, refusesWeakPasswords: undefined } },
    ],
  ])('%s', (_, changes, changed) => {
    expect(applyProjectChanges(project, changes)).toEqual({ ...project, ...changed });
  });
});

test('default permissions have the scope of their default set', () => {
  const config = {
    teamCreatorDefaultPermissions: ['a'],
    teamMemberDefaultPermissions: ['a', 'b'],
    userDefaultPermissions: ['c'],
  };
  expect(addedDefaultPermissions(config)).toEqual([
    { id: 'a', scope: 'team' },
    { id: 'a', scope: 'team' },
    { id: 'b', scope: 'team' },
    { id: 'c', scope: 'project' },
  ]);
  expect(addedDefaultPermissions()).toEqual([]);
  expect(addedDefaultPermissions(config, { teamMemberDefaultPermissions: ['b', 'a'] })).toEqual([
    { id: 'a', scope: 'team' },
    { id: 'c', scope: 'project' },
  ]);
});

describe('access to the project endpoints', () => {
  const ada = { isAnonymous: false };
  const internal = { id: 'internal' };

  test.each([
    ['a caller without a user', { user: null, project: internal }, 'USER_AUTHENTICATION_REQUIRED'],
    [
      'a caller without a user in another project',
      { user: null, project: { id: 'x' } },
      'USER_AUTHENTICATION_REQUIRED',
    ],
    ['a user of another project', { user: ada, project: { id: 'x' } }, 'EXPECTED_INTERNAL_PROJECT'],
  ])('is refused to %s', (_, requester, errorCode) => {
    expect(() => assertInternalUser(requester)).toThrow(expect.objectContaining({ errorCode }));
    expect(() => assertMayCreateProject(requester)).toThrow(expect.objectContaining({ errorCode }));
  });

  test('is granted to a user of internal; an anonymous user can list projects and not create them', () => {
    expect(() => assertMayCreateProject({ user: ada, project: internal })).not.toThrow();
    const anonymous = { user: { isAnonymous: true }, project: internal };
    expect(() => assertInternalUser(anonymous)).not.toThrow();
    expect(() => assertMayCreateProject(anonymous)).toThrow(expect.objectContaining({ status: 403 }));
  });
});

test.each([
  [
    { plan: 'gold', managedProjectIds: ['a'] },
    { plan: 'gold', managedProjectIds: ['b'] },
  ],
  [{ managedProjectIds: 'nonsense' }, { managedProjectIds: ['b'] }],
  [null, { managedProjectIds: ['b'] }],
  [[1, 2], { managedProjectIds: ['b'] }],
  ['text', { managedProjectIds: ['b'] }],
  [7, { managedProjectIds: ['b'] }],
])('the ownership record is replaced in the metadata %j', (metadata, expected) => {
  expect(replaceManagedProjects(metadata, ['b'])).toEqual(expected);
});

describe('a change of a key set', () => {
  const set = {
    id: 'an id',
    description: 'Old',
    createdAtMillis: 1,
    expiresAtMillis: 2,
    manuallyRevokedAtMillis: null,
    lastFour: { publishableClientKey: 'abcd', secretServerKey: null, superSecretAdminKey: null },
  };
  const unchanged = { description: undefined, isRevoked: false };

  test.each([
    ['an empty change changes nothing', set, unchanged, {}],
    ['a new description is stored', set, { ...unchanged, description: '' }, { description: '' }],
    ['isRevoked sets the revocation time', set, { ...unchanged, isRevoked: true }, { manuallyRevokedAtMillis: 10 }],
    [
      'a second revocation keeps the first time',
      { ...set, manuallyRevokedAtMillis: 5 },
      { ...unchanged, isRevoked: true },
      {},
    ],
    ['a change without isRevoked keeps the revocation', { ...set, manuallyRevokedAtMillis: 5 }, unchanged, {}],
  ])('%s', (_, before, changes, changed) => {
    expect(applyKeySetChanges(before, changes, 10)).toEqual({ ...before, ...changed });
  });
});
