import { expect, test } from 'vitest';
import { filterMembers } from './filter-members.ts';

const members = [
  { displayName: 'Ada Lovelace', primaryEmail: null },
  { displayName: null, primaryEmail: 'grace@example.com' },
  { displayName: null, primaryEmail: null },
];

test.each([
  ['', [0, 1, 2]],
  [' ADA ', [0]],
  ['example', [1]],
  ['zebra', []],
])('the text %j finds the members %j', (text, expected) => {
  expect(filterMembers(members, text)).toEqual(expected.map(index => members[index]));
});
