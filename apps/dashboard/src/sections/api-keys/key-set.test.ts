import type { InternalApiKey } from '@tessera/client';
import { expect, test } from 'vitest';
import { words as common } from '../../words.ts';
import { expiresSoon, firstKeySet, nameOfSet, newKeySet, successorOf, validateKeySet } from './key-set.ts';
import { words } from './words.ts';

const nowMs = Date.UTC(2026, 0, 1);
const dayMs = 24 * 3600 * 1000;

test.each([
  ['a purpose and a key', { ...firstKeySet, description: 'Web app' }, {}],
  ['no purpose', { ...firstKeySet, description: ' ' }, { description: common.form.required }],
  ['no key', { ...firstKeySet, description: 'Web app', kinds: [] }, { kinds: words.kindRequired }],
])('a new set of keys with %s has the expected problems', (_, values, expected) => {
  const problems = Object.entries(validateKeySet(values)).filter(([, problem]) => problem !== undefined);
  expect(Object.fromEntries(problems)).toEqual(expected);
});

test('a new set of keys expires after the chosen number of days', () => {
  expect(newKeySet({ ...firstKeySet, description: ' Web app ', lifetimeDays: '30' }, nowMs)).toEqual({
    description: 'Web app',
    expiresAt: new Date(nowMs + 30 * dayMs),
    hasPublishableClientKey: true,
    hasSecretServerKey: true,
    hasSuperSecretAdminKey: false,
  });
});

test('the successor of a set of keys has its purpose, its kinds and its whole lifetime', () => {
  const set = {
    description: 'Web app',
    createdAt: new Date(nowMs - 80 * dayMs),
    expiresAt: new Date(nowMs + 10 * dayMs),
    publishableClientKey: null,
    secretServerKey: { lastFour: 'abcd' },
    superSecretAdminKey: null,
  } as InternalApiKey;
  expect(successorOf(set, nowMs)).toEqual({
    description: 'Web app',
    expiresAt: new Date(nowMs + 90 * dayMs),
    hasPublishableClientKey: false,
    hasSecretServerKey: true,
    hasSuperSecretAdminKey: false,
  });
});

test.each([
  [13, true],
  [15, false],
])('a set of keys that expires in %i days expires soon: %s', (days, expected) => {
  expect(expiresSoon({ expiresAt: new Date(nowMs + days * dayMs) }, nowMs)).toBe(expected);
});

test.each([
  ['the ending of its server key', { lastFour: 'abcd' }, 'Web app (…abcd)'],
  ['the ending of its client key when it has no other', null, 'Web app (…wxyz)'],
])('the name of a set of keys has %s', (_, secretServerKey, expected) => {
  const set = { description: 'Web app', publishableClientKey: { lastFour: 'wxyz' }, superSecretAdminKey: null };
  expect(nameOfSet({ ...set, secretServerKey })).toBe(expected);
});
