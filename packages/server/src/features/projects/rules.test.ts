import { describe, expect, test } from 'vitest';
import {
  addedDefaultPermissions,
  applyKeySetChanges,
  applyProjectChanges,
  assertMayCreateProject,
  assertOwnerToBe,
  isTrustedUrl,
  replaceManagedProjects,
} from './rules.ts';
import type { ProjectRecord } from './store.ts';

const domains = (...entries: string[]) => entries.map(domain => ({ domain, handlerPath: '/handler' }));
const onlyLocal = { allowLocalhost: true, domains: [] };
const onlyDomain = { allowLocalhost: false, domains: domains('https://app.example.com') };

describe('a callback URL of a project with localhost allowed and no domain', () => {
  test.each([
    ['http://localhost', 'the name'],
    ['http://localhost:3000/a?b=c#d', 'any port, path, query and fragment'],
    ['https://LOCALHOST/', 'any letter case'],
    ['http://app.localhost/', 'a name below it'],
    ['http://a.b.localhost/', 'deeper below it'],
    ['http://127.0.0.1/', 'the address'],
    ['http://127.255.255.254/', 'the whole block'],
    ['http://127.1/', 'the short form of the address'],
    ['http://0x7f.1/', 'its hexadecimal form'],
    ['http://2130706433/', 'its decimal form'],
    ['http://①27.0.0.1/', 'digits that the parser maps to ASCII'],
    ['http://lo\tcal\nhost/', 'what the parser skips'],
    ['myapp://localhost/callback', 'any scheme'],
  ])('trusted: %j, %s', url => {
    expect(isTrustedUrl(url, onlyLocal)).toBe(true);
  });

  test.each([
    ['https://example.com/', 'another host'],
    ['http://localhost.example.com/', 'localhost as a label of another host'],
    ['http://notlocalhost/', 'a name that ends alike'],
    ['http://localhost./', 'a trailing dot'],
    ['http://127.0.0.1.example.com/', 'an address as labels of another host'],
    ['http://128.0.0.1/', 'the next block'],
    ['http://0.0.0.0/', 'the unspecified address'],
    ['http://[::1]/', 'IPv6 loopback'],
    ['http://[::ffff:127.0.0.1]/', 'IPv4 mapped into IPv6'],
    ['http://localhost@evil.com/', 'localhost as a user name'],
    ['http://evil.com@localhost/', 'another host as a user name'],
    ['http://user:secret@localhost/', 'a user name and a password'],
    ['http://evil.com\\@localhost/', 'a backslash that ends the host'],
    ['http://evil.com#@localhost/', 'a fragment that ends the host'],
    ['http://evil.com?@localhost/', 'a query that ends the host'],
    ['localhost:3000', 'a scheme named localhost'],
    ['//localhost/', 'no scheme'],
    ['/handler', 'a path'],
    ['', 'an empty URL'],
    ['http://', 'no host'],
    ['javascript:alert(1)', 'a script'],
    ['javascript://localhost/%0aalert(1)', 'a script URL in the form of an address'],
    ['vbscript://localhost/', 'a script of another language'],
    ['intent://localhost/x#Intent;end', 'a scheme whose URL names a fallback address'],
    ['file://localhost/etc/passwd', 'a file'],
    ['data://localhost/,hello', 'a document in the URL'],
    ['data:text/html,hello', 'a document in the URL'],
    ['blob:http://localhost/1', 'a blob URL'],
    ['file://localhost/etc/passwd', 'a file'],
    ['about:blank', 'a page of the browser'],
  ])('not trusted: %j, %s', url => {
    expect(isTrustedUrl(url, onlyLocal)).toBe(false);
  });
});

describe('control 47: a callback URL of a project with one domain', () => {
  test.each([
    ['https://app.example.com', 'itself'],
    ['https://app.example.com/', 'its root'],
    ['https://app.example.com/any/path?query=1#fragment', 'any path, query and fragment'],
    ['https://app.example.com:8443/', 'any port'],
    ['https://APP.Example.COM/', 'any letter case'],
    ['HTTPS://app.example.com/', 'a scheme in capitals'],
    ['https:app.example.com', 'slashes that the parser adds'],
    ['https:\\\\app.example.com\\path', 'backslashes that the parser turns'],
    ['https://app.exa\tmple.com/', 'a tab that the parser skips'],
    ['https://app.example.com\\@evil.com/', 'a backslash that ends the host'],
    ['https://app.example.com/@evil.com', 'another host in the path'],
    ['https://app%2eexample%2ecom/', 'encoded dots'],
    ['https://ａｐｐ.example.com/', 'wide letters'],
  ])('trusted: %j, %s', url => {
    expect(isTrustedUrl(url, onlyDomain)).toBe(true);
  });

  test.each([
    ['http://app.example.com/', 'another scheme'],
    ['https://example.com/', 'the parent'],
    ['https://x.app.example.com/', 'a child'],
    ['https://app.example.com.evil.com/', 'the name as labels of another'],
    ['https://app.example.com./', 'a trailing dot'],
    ['https://app-example.com/', 'a dot that matches anything'],
    ['https://app.example.com@evil.com/', 'the name as a user name'],
    ['https://evil.com@app.example.com/', 'another as a user name'],
    ['https://evil.com/https://app.example.com/', 'the name in the path'],
    ['https://evil.com\\.app.example.com/', 'a backslash that ends the host'],
    ['//app.example.com/', 'no scheme'],
    ['http://localhost/', 'localhost'],
    ['https://127.0.0.1/', 'an address'],
  ])('not trusted: %j, %s', url => {
    expect(isTrustedUrl(url, onlyDomain)).toBe(false);
  });
});

describe('a trusted domain', () => {
  test.each([
    ['https://example.com/app', 'https://example.com/app', true],
    ['https://example.com/app', 'https://example.com/app/deep', true],
    // The prefix ignores path segments: docs/contract/sign-in-methods.md#callback-urls
    ['https://example.com/app', 'https://example.com/application', true],
    ['https://example.com/app', 'https://example.com/APP', false],
    ['https://example.com/app', 'https://example.com/', false],
    ['https://example.com/app', 'https://example.com/app/../admin', false],
    ['https://example.com/app', 'https://example.com/app/%2e%2e/admin', false],
    ['https://example.com/app/', 'https://example.com/app', false],
    ['https://example.com:8443', 'https://example.com/', true],
    ['https://EXAMPLE.com', 'https://example.com/', true],
    ['https://bücher.example', 'https://xn--bcher-kva.example/', true],
    ['https://xn--bcher-kva.example', 'https://BÜCHER.example/', true],
    // A Cyrillic letter
    ['https://apple.com', 'https://аpple.com/', false],
    ['https://*.example.com', 'https://app.example.com/', false],
    ['https://*.example.com', 'https://*.example.com/', true],
    ['http://localhost:3000', 'http://localhost:4000/', true],
    ['http://[::1]:3000', 'http://[0:0:0:0:0:0:0:1]/', true],
    ['example.com', 'https://example.com/', false],
    ['not a url', 'https://example.com/', false],
  ])('%s lets %s pass: %s', (domain, url, expected) => {
    expect(isTrustedUrl(url, { allowLocalhost: false, domains: domains(domain) })).toBe(expected);
  });

  test('that does not parse is skipped', () => {
    const config = { allowLocalhost: false, domains: domains('nonsense', 'https://example.com') };
    expect(isTrustedUrl('https://example.com/', config)).toBe(true);
  });

  test('is enough when it is one of several', () => {
    const config = { allowLocalhost: false, domains: domains('https://a.example', 'https://b.example/x') };
    expect(isTrustedUrl('https://b.example/x/y', config)).toBe(true);
  });
});

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
  ])('is refused to %s', (_, asker, errorCode) => {
    expect(() => assertOwnerToBe(asker)).toThrow(expect.objectContaining({ errorCode }));
    expect(() => assertMayCreateProject(asker)).toThrow(expect.objectContaining({ errorCode }));
  });

  test('is granted to a user of internal; an anonymous user can list projects and not create them', () => {
    expect(() => assertMayCreateProject({ user: ada, project: internal })).not.toThrow();
    const anonymous = { user: { isAnonymous: true }, project: internal };
    expect(() => assertOwnerToBe(anonymous)).not.toThrow();
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
