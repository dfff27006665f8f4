import { expect, test } from 'vitest';
import { dropOldest } from './drop-oldest.ts';

test('a map above its maximum loses the entry that was inserted first', () => {
  const entries = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  dropOldest(entries, 2);
  expect([...entries.keys()]).toEqual(['b', 'c']);
});

test('an entry that was inserted again is not the oldest', () => {
  const entries = new Set(['a', 'b']);
  entries.delete('a');
  entries.add('a').add('c');
  dropOldest(entries, 2);
  expect([...entries]).toEqual(['a', 'c']);
});

test('a map at its maximum keeps all entries', () => {
  const entries = new Map([['a', 1]]);
  dropOldest(entries, 1);
  expect(entries.size).toBe(1);
});
