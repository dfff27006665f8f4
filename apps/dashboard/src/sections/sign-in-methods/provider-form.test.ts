import { expect, test } from 'vitest';
import { words as common } from '../../words.ts';
import { accessLeft, accessOf } from './access.ts';
import { changeProvider, firstValues, validateProvider } from './provider-form.ts';

const stored = { id: 'github', type: 'standard', clientId: 'old-id', clientSecret: 'old-secret' } as const;
const own = { ...firstValues(undefined, false), clientId: 'new-id', clientSecret: 'new-secret' };

test('the form of a provider with own keys does not contain the stored secret', () => {
  expect(firstValues(stored, true)).toEqual({
    type: 'standard',
    clientId: 'old-id',
    clientSecret: '',
    appleTeamId: '',
    appleKeyId: '',
    microsoftTenantId: '',
    facebookConfigId: '',
  });
});

test.each([
  ['shared keys', { ...own, type: 'shared' as const, clientId: '' }, undefined, []],
  ['own keys with client ID and secret', own, undefined, []],
  ['own keys without client ID', { ...own, clientId: ' ' }, undefined, ['clientId']],
  ['own keys without secret', { ...own, clientSecret: '' }, undefined, ['clientSecret']],
  ['the stored client ID without secret', { ...own, clientId: 'old-id', clientSecret: '' }, stored, []],
  ['a new client ID without secret', { ...own, clientSecret: '' }, stored, ['clientSecret']],
])('the form of a provider with %s has the expected problems', (_, values, before, expected) => {
  const problems = Object.entries(validateProvider('github', values, before)).filter(
    ([, problem]) => problem !== undefined,
  );
  expect(problems).toEqual(expected.map(field => [field, common.form.required]));
});

const google = { id: 'google', type: 'shared' } as const;
const withoutSecret = { ...own, clientId: 'old-id', clientSecret: '' };

test('a provider whose shared keys this server does not have opens with own keys', () => {
  expect(firstValues(google, false).type).toBe('standard');
  expect(firstValues(google, true).type).toBe('shared');
});

test('an empty secret keeps the stored one', () => {
  expect(changeProvider([stored], { id: 'github', values: withoutSecret, opened: stored })).toEqual([stored]);
});

test('an empty secret keeps the one that was stored while the form was open', () => {
  const now = { ...stored, clientSecret: 'newer-secret' };
  expect(changeProvider([now], { id: 'github', values: withoutSecret, opened: stored })).toEqual([now]);
});

test('an empty secret is not that of another client ID that was stored while the form was open', () => {
  const now = { ...stored, clientId: 'other-id', clientSecret: 'other-secret' };
  expect(changeProvider([now], { id: 'github', values: withoutSecret, opened: stored })).toEqual([stored]);
});

test('a change to shared keys sends no client ID and no secret, and leaves the other providers as they are', () => {
  const values = { ...own, type: 'shared' } as const;
  expect(changeProvider([google, stored], { id: 'github', values, opened: stored })).toEqual([
    google,
    { id: 'github', type: 'shared' },
  ]);
});

const none = { credentialEnabled: false, magicLinkEnabled: false, passkeyEnabled: false, oauthProviders: [] };

test.each([
  ['no method', none, 'no-user'],
  ['only passkeys', { ...none, passkeyEnabled: true }, 'passkey-only'],
  ['a password', { ...none, credentialEnabled: true }, 'everyone'],
  ['an email code', { ...none, magicLinkEnabled: true }, 'everyone'],
  ['a provider', { ...none, oauthProviders: [stored] }, 'everyone'],
  ['a provider with shared keys', { ...none, oauthProviders: [google] }, 'everyone'],
  ['a provider whose shared keys are missing', { ...none, oauthProviders: [{ ...google, id: 'github' }] }, 'no-user'],
] as const)('a project with %s has the expected access', (_, config, expected) => {
  expect(accessOf(config, ['google'])).toBe(expected);
});

const password = { ...none, credentialEnabled: true };

test.each([
  ['the last method', password, { credentialEnabled: false }, 'no-user'],
  [
    'the last method besides passkeys',
    { ...password, passkeyEnabled: true },
    { credentialEnabled: false },
    'passkey-only',
  ],
  ['the last provider', { ...none, oauthProviders: [stored] }, { oauthProviders: [] }, 'no-user'],
  ['one of two methods', { ...password, magicLinkEnabled: true }, { credentialEnabled: false }, undefined],
  ['a method that no user can use', { ...none, oauthProviders: [google] }, { oauthProviders: [] }, undefined],
] as const)('switching off %s leaves the expected access', (_, config, change, expected) => {
  expect(accessLeft(config, change, [])).toBe(expected);
});

test('switching on passkeys where no user can sign in locks no user out', () => {
  expect(accessLeft(none, { passkeyEnabled: true }, [])).toBeUndefined();
});

const pem = '-----BEGIN PRIVATE KEY-----\nMIGHAgEA+/=\n-----END PRIVATE KEY-----';
const wireKey = { team_id: 'TEAM012345', key_id: 'KEY0123456', private_key: pem };
const appleKey = { id: 'apple', type: 'standard', clientId: 'org.app', clientSecret: JSON.stringify(wireKey) } as const;
const appleJwt = { ...appleKey, clientSecret: 'e30.e30.x' } as const;
const ofApple = { ...firstValues(undefined, false), clientId: 'org.app' };
const ids = { appleTeamId: 'TEAM012345', appleKeyId: 'KEY0123456' };

test('the form of Apple shows the ids of the stored key, and not the key', () => {
  expect(firstValues(appleKey, false)).toEqual({ ...ofApple, ...ids });
});

test.each([
  ['a new key', { ...ofApple, ...ids, clientSecret: `${pem}\n` }, undefined, []],
  ['neither key nor ids', ofApple, undefined, ['clientSecret']],
  ['a key without ids', { ...ofApple, clientSecret: pem }, undefined, ['appleTeamId', 'appleKeyId']],
  ['a team id in small letters', { ...ofApple, ...ids, appleTeamId: 'team012345' }, appleKey, ['appleTeamId']],
  ['a file that is no key', { ...ofApple, ...ids, clientSecret: 'PK' }, undefined, ['clientSecret']],
  ['the stored key', { ...ofApple, ...ids }, appleKey, []],
  ['the stored key without ids', ofApple, appleKey, ['appleTeamId', 'appleKeyId']],
  ['a stored JWT', ofApple, appleJwt, []],
])('the form of Apple with %s has the expected problems', (_, values, before, expected) => {
  const problems = Object.entries(validateProvider('apple', values, before)).filter(([, problem]) => problem);
  expect(problems.map(([field]) => field).sort()).toEqual([...expected].sort());
});

test.each([
  ['a new key replaces a JWT', { ...ofApple, ...ids, clientSecret: `${pem}\n` }, appleJwt, appleKey],
  [
    'a stored key keeps its text when only an id changes',
    { ...ofApple, ...ids, appleKeyId: 'KEY9999999' },
    appleKey,
    {
      ...appleKey,
      clientSecret: JSON.stringify({ ...wireKey, key_id: 'KEY9999999' }),
    },
  ],
  ['a stored JWT stays', ofApple, appleJwt, appleJwt],
])('in the form of Apple %s', (_, values, opened, expected) => {
  expect(changeProvider([opened], { id: 'apple', values, opened })).toEqual([expected]);
});
