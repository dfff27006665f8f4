import { describe, expect, test } from 'vitest';
import { findCategoryByName, type NotificationCategory } from './notifications/index.ts';
import { type Addressee, mailsInWords, planSending, shorten } from './rules.ts';

const category = (name: string) => findCategoryByName(name) as NotificationCategory;
const id = '7a2c7e57-5f4b-4f5d-9f6b-0f6a3f0f1c11';
const address = 'ada@example.com';
const ada: Addressee = { id, primaryEmail: address, isWanted: null };

describe('the result of sending to a user is the first refusal that applies', () => {
  type Row = [string, Addressee | undefined, string | null, string | RegExp | null, string | null];
  test.each<Row>([
    ['nothing is in the way', ada, null, null, address],
    ['the user wants it', { ...ada, isWanted: true }, null, null, address],
    ['there is no user', undefined, 'bad', /no such user/, null],
    ['the user does not want it', { ...ada, primaryEmail: null, isWanted: false }, 'bad', /has unsubscribed/, null],
    ['there is no address', { ...ada, primaryEmail: null }, 'bad', /no primary email/, null],
    ['it cannot be rendered', ada, 'bad', /cannot be rendered: bad/, address],
  ])('%s', (_, addressee, renderingError, refusal, expected) => {
    const sending = planSending(id.toUpperCase(), addressee, { category: category('Marketing'), renderingError });
    expect(sending).toEqual({
      givenId: id.toUpperCase(),
      address: expected,
      ...(refusal === null ? { userId: id, refusal } : { refusal: expect.stringMatching(refusal) }),
    });
  });
});

test('notification categories are found by exact names only', () => {
  expect(
    ['Transactional', 'Marketing', 'marketing', '', 'constructor'].map(name => findCategoryByName(name)?.name),
  ).toEqual(['Transactional', 'Marketing', undefined, undefined, undefined]);
});

test.each([
  [1, 'one email'],
  [2, '2 emails'],
])('%d in words', (count, words) => {
  expect(mailsInWords(count)).toBe(words);
});

test.each([
  ['short', 'short'],
  ['x'.repeat(10), 'x'.repeat(10)],
  ['x'.repeat(11), `${'x'.repeat(9)}…`],
  ['👋'.repeat(11), `${'👋'.repeat(9)}…`],
])('a text is cut to ten characters: %s', (text, expected) => {
  expect(shorten(text, 10)).toBe(expected);
});
