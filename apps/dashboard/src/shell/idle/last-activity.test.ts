import { afterEach, expect, test, vi } from 'vitest';
import { createLastActivity } from './last-activity.ts';

let now = 1_000_000;
const clock = () => now;
afterEach(() => {
  window.localStorage.clear();
});

test('activity in one tab is seen by the others', () => {
  const [one, other] = [
    createLastActivity(clock, () => window.localStorage),
    createLastActivity(clock, () => window.localStorage),
  ];
  now += 60_000;
  one.touch();
  expect(other.at()).toBe(now);
});

test('keys and pointers are activity while they are followed, once in five seconds', () => {
  const activity = createLastActivity(clock, () => window.localStorage);
  const isFollowed = vi.fn(() => true);
  const stop = activity.follow(isFollowed);
  const begun = activity.at();
  now += 4_999;
  window.dispatchEvent(new Event('keydown'));
  expect(activity.at()).toBe(begun);
  now += 1;
  window.dispatchEvent(new Event('keydown'));
  expect(activity.at()).toBe(now);

  const last = now;
  now += 60_000;
  isFollowed.mockReturnValue(false);
  window.dispatchEvent(new Event('pointermove'));
  expect(activity.at()).toBe(last);
  isFollowed.mockReturnValue(true);
  stop();
  window.dispatchEvent(new Event('pointermove'));
  expect(activity.at()).toBe(last);
});

test('a tab whose storage is blocked counts only its own activity', () => {
  const blocked = () => {
    throw new Error('storage is blocked');
  };
  const activity = createLastActivity(clock, blocked);
  now += 60_000;
  activity.touch();
  expect(activity.at()).toBe(now);
});
