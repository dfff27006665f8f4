import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { formatRelative, RelativeTime } from './relative-time.tsx';

const now = new Date('2026-11-23T07:24:00Z');

test.each([
  ['2026-11-23T07:23:45Z', 'just now'],
  ['2026-11-23T07:24:00Z', 'just now'],
  ['2026-11-23T07:24:30Z', 'in 30 seconds'],
  ['2026-11-23T07:20:01Z', '3 minutes ago'],
  ['2026-11-21T12:00:00Z', '1 day ago'],
  ['2026-11-24T13:00:00Z', 'in 1 day'],
  ['2026-09-30T12:00:00Z', '1 month ago'],
  ['2026-11-24T06:00:00Z', 'in 23 hours'],
  ['2026-11-30T07:20:00Z', 'in 7 days'],
  ['2026-12-23T07:20:00Z', 'in 30 days'],
])('%s is shown as: %s', (at, shown) => {
  expect(formatRelative(new Date(at), now)).toBe(shown);
});

test('the exact time of a relative time has a time zone, for a comparison with the log of a server', () => {
  expect(renderToStaticMarkup(createElement(RelativeTime, { at: now }))).toMatch(/title="Nov 2\d, 2026, .+[AP]M \S+"/);
});
