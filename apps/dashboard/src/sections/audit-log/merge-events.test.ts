import { expect, test } from 'vitest';
import { mergeEvents } from './merge-events.ts';

const events = (...ids: string[]) => ids.map(id => ({ id }));

test.each([
  ['no newer events', [], ['b', 'a'], ['b', 'a']],
  ['an event in both lists', ['c', 'b'], ['b', 'a'], ['c', 'b', 'a']],
  ['no older events', ['a'], [], ['a']],
])('live events are placed before the loaded ones, with %s', (_, newer, older, expected) => {
  expect(mergeEvents(events(...newer), events(...older))).toEqual(events(...expected));
});
