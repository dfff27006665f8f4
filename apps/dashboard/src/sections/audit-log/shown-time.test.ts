import { expect, test } from 'vitest';
import { shownTime } from './shown-time.ts';

const at = new Date('2026-01-01T10:00:00Z');
const requestAt = new Date('2026-01-01T10:42:00Z');

test.each([
  [
    'the use of a key is shown at the time of its request',
    { level: 'client', at_millis: requestAt.getTime() },
    requestAt,
  ],
  ['an event with other details is shown at its own time', { method: 'password' }, at],
  ['an event without details is shown at its own time', null, at],
])('%s', (_title, details, expected) => {
  expect(shownTime({ at, details })).toEqual(expected);
});
