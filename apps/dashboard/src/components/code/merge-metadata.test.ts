import { expect, test } from 'vitest';
import { mergeMetadata } from './merge-metadata.ts';

test.each([
  ['an edit alone', { a: 1, b: 1 }, { b: 2 }, { a: 1, b: 1 }, { b: 2 }],
  ['an entry that the app added', { a: 1 }, { a: 2 }, { a: 1, seen: true }, { seen: true, a: 2 }],
  ['an entry that the app removed', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1 }, { a: 2 }],
  ['an entry that the edit removed', { a: 1, b: 1 }, { b: 1 }, { a: 1, b: 2 }, { b: 2 }],
  ['an entry that both changed', { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }],
  ['the first metadata of both', null, { a: 1 }, { b: 1 }, { b: 1, a: 1 }],
  ['metadata that the app removed', { a: 1 }, { a: 1, b: 1 }, null, { b: 1 }],
  ['an edit that removes everything', { a: 1 }, null, { a: 1, b: 1 }, null],
  ['an edit that is no object', { a: 1 }, [1], { a: 1, b: 1 }, [1]],
])('%s is stored as expected', (_, before, edited, stored, expected) => {
  expect(mergeMetadata({ before, edited, stored })).toEqual(expected);
});

test('an entry with the name of the prototype is merged like any other', () => {
  const edited = JSON.parse('{"__proto__":{"a":1}}');
  const merged = mergeMetadata({ before: null, edited, stored: { b: 1 } });
  expect(JSON.stringify(merged)).toBe('{"b":1,"__proto__":{"a":1}}');
});
