import { expect, test } from 'vitest';
import { navigation } from '../../sections/navigation.ts';
import { words as common } from '../../words.ts';
import { matchCommand } from './palette-filter.ts';
import { words } from './palette-words.ts';

const found = (typed: string) =>
  navigation.map(({ title }) => title).filter(title => matchCommand(title, typed, words.keywords[title]) === 1);

test.each([
  ['invite', ['Teams', 'Project settings']],
  ['viewer', ['Project settings']],
  ['theme', ['Emails']],
  ['revoke', ['Users', 'API keys']],
  ['2fa', ['Users']],
  ['mfa', ['Users']],
  ['ban', ['Users']],
  ['logs', ['Audit log']],
  ['ip', ['Audit log']],
  ['jwt', ['Security']],
  ['password policy', ['Security']],
  ['magic link', ['Sign-in methods']],
  ['two-step', ['Users']],
  ['authenticator', ['Users']],
  ['unlock', ['Users', 'Security']],
  ['impersonate', ['Users']],
  ['gdpr', ['Users']],
  ['hook', ['Webhooks']],
  ['smtp mail', ['Emails']],
  ['KEYS', ['API keys', 'Security']],
  ['billing', []],
  ['bjorn.nguyen', []],
])('typing %j in the palette finds the sections %j', (typed, expected) => {
  expect(found(typed)).toEqual(expected);
});

test('the palette lists the sections in the order of the sidebar', () => {
  const groups = Object.keys(common.navigation.groups);
  const places = navigation.map(({ group }) => groups.indexOf(group));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});
