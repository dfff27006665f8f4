import { expect, test } from 'vitest';
import { changeEntries, explainSignUp, problemOf, readEntries } from './entries.ts';

test('entries are separated by lines, commas and blanks, and equal ones are one', () => {
  const { entries, wrong } = readEntries(
    ' Example.com, *.example.com;ada@example.com\n\n@example.com\tbücher.example ',
  );
  expect(entries).toEqual(['example.com', '*.example.com', 'ada@example.com', 'xn--bcher-kva.example']);
  expect(wrong).toEqual([]);
});

test.each([
  ['', undefined],
  ['example.com', undefined],
  ['example.com shop', 'Not a domain or an address: shop'],
  ['a b c d e', 'Not a domain or an address: a, b, c and 2 more'],
  [
    Array.from({ length: 1_001 }, (_, index) => `shop${index}.example`).join('\n'),
    'A list can have 1,000 entries. This one has 1,001.',
  ],
])('the problem of a list: %#', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

const restrictions = { allowed: ['shop.example'], blocked: ['*.shop.example', 'eve@shop.example'] };

test.each([
  ['Ada@shop.example', { isAllowed: true, reason: 'allowed', entry: 'shop.example' }],
  ['ada@de.shop.example', { isAllowed: false, reason: 'blocked', entry: '*.shop.example' }],
  ['eve@shop.example', { isAllowed: false, reason: 'blocked', entry: 'eve@shop.example' }],
  ['ada@other.example', { isAllowed: false, reason: 'notListed', entry: '' }],
  ['ada@', undefined],
  ['shop.example', undefined],
])('the verdict about %s', (address, verdict) => {
  expect(explainSignUp(address, restrictions, true)).toEqual(verdict);
});

test('without allowed entries every other address can sign up', () => {
  const verdict = explainSignUp('ada@other.example', { ...restrictions, allowed: [] }, true);
  expect(verdict).toEqual({ isAllowed: true, reason: 'notBlocked', entry: '' });
});

test('while sign-up is off no address can sign up', () => {
  expect(explainSignUp('ada@shop.example', restrictions, false)).toMatchObject({ isAllowed: false, reason: 'closed' });
});

test.each([
  {
    name: 'adds an entry',
    shown: ['a.example'],
    typed: ['a.example', 'b.example'],
    expected: ['a.example', 'other.example', 'b.example'],
  },
  { name: 'removes an entry', shown: ['a.example'], typed: [], expected: ['other.example'] },
  {
    name: 'adds the same entry',
    shown: ['a.example'],
    typed: ['a.example', 'other.example'],
    expected: ['a.example', 'other.example'],
  },
  {
    name: 'keeps an entry that is deleted',
    shown: ['a.example', 'gone.example'],
    typed: ['a.example', 'gone.example'],
    expected: ['a.example', 'other.example'],
  },
])('a change that $name leaves what another admin has changed meanwhile', ({ shown, typed, expected }) => {
  expect(changeEntries(['a.example', 'other.example'], { shown, typed })).toEqual(expected);
});
