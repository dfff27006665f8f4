import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EventTime, EventTimeCell } from './event-time.tsx';

const at = new Date('2026-11-23T12:24:00Z');

test.each([
  ['on a page', EventTime, /Nov 2\d, 2026, \d+:24:00\s[AP]M \S+</],
  ['in a list', EventTimeCell, /\d+:24:00\s[AP]M<.+Nov 2\d, 2026, \S+</],
])('the time of an event %s has a time zone', (_, component, expected) => {
  expect(renderToStaticMarkup(createElement(component, { at }))).toMatch(expected);
});
