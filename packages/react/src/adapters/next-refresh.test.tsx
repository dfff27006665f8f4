import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApp, user } from '../test/fake-app.ts';
import { useRefreshWithoutUser } from './next-refresh.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(signedIn: boolean) {
  const fake = fakeApp();
  fake.readers.user.set(signedIn ? user() : null);
  const refresh = vi.fn();
  const { unmount } = renderHook(() => useRefreshWithoutUser(fake.app, refresh));
  return { fake, refresh, unmount };
}

function set(fake: ReturnType<typeof fakeApp>, id: string | null) {
  act(() => fake.readers.user.set(id === null ? null : user({ id })));
  vi.advanceTimersByTime(999);
}

test('a sign-out in another tab renders the server components of this tab again after a second', () => {
  const { fake, refresh } = open(true);
  set(fake, null);
  expect(refresh).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(refresh).toHaveBeenCalledOnce();
});

test('another user renders the server components again', () => {
  const { fake, refresh } = open(true);
  set(fake, 'another');
  vi.advanceTimersByTime(1);
  expect(refresh).toHaveBeenCalledOnce();
});

test('a sign-in, and a change of the same user, render no server component again', () => {
  const { fake, refresh } = open(false);
  set(fake, 'u');
  set(fake, 'u');
  vi.advanceTimersByTime(2000);
  expect(refresh).not.toHaveBeenCalled();
});

test('a page that is left within the second is not rendered again', () => {
  const { fake, refresh, unmount } = open(true);
  set(fake, null);
  unmount();
  vi.advanceTimersByTime(2000);
  expect(refresh).not.toHaveBeenCalled();
});
