import { expect, test } from 'vitest';
import { warnBeforeLeaving } from './leave-warning.ts';

const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('the browser asks before it leaves the page as long as one piece of work is open', () => {
  expect(isAsked()).toBe(false);
  const [first, second] = [warnBeforeLeaving(), warnBeforeLeaving()];
  expect(isAsked()).toBe(true);
  first();
  expect(isAsked()).toBe(true);
  second();
  expect(isAsked()).toBe(false);
});
