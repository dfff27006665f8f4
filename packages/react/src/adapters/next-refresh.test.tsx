import { internals } from '@tessera/client';
import { countOwnSignIn } from '@tessera/client/internals';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useApp } from '../index.ts';
import { fakeApp, user } from '../test/fake-app.ts';
import { userJson } from '../test/user-json.ts';
import { AppProvider } from './next-client.tsx';
import { useRefreshForUser } from './next-refresh.ts';

const refreshPage = vi.hoisted(() => vi.fn());
vi.mock('next/navigation.js', () => ({
  usePathname: () => '/',
  useRouter: () => ({ push() {}, replace() {}, refresh: refreshPage }),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(signedIn: boolean | undefined) {
  const fake = fakeApp();
  if (signedIn === undefined) fake.readers.user.forget();
  else fake.readers.user.set(signedIn ? user() : null);
  const refresh = vi.fn();
  const { unmount } = renderHook(() => useRefreshForUser(fake.app, refresh));
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

test('a sign-in in another tab renders the server components again, also after a sign-out there', () => {
  const { fake, refresh } = open(true);
  set(fake, null);
  vi.advanceTimersByTime(1);
  act(() => fake.readers.user.forget());
  set(fake, 'another');
  expect(refresh).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('a user who was signed in when the page was opened renders no server component again', () => {
  const { fake, refresh } = open(undefined);
  set(fake, 'u');
  vi.advanceTimersByTime(2000);
  expect(refresh).not.toHaveBeenCalled();
});

test('a sign-in of the page itself, and a change of the same user, render no server component again', () => {
  const { fake, refresh } = open(false);
  countOwnSignIn(fake.app.projectId);
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

test('providers in a layout and in its page render the server components again once', async () => {
  const data = {
    baseUrl: 'https://auth.example',
    projectId: 'nested',
    publishableClientKey: 'pck',
    tokenStore: 'memory',
    urls: {},
    oauthScopesOnSignIn: {},
    redirectMethod: 'nextjs',
    extraRequestHeaders: {},
  } as const;
  const { result } = renderHook(() => useApp(), {
    wrapper: ({ children }) => (
      <AppProvider data={data}>
        <AppProvider data={data}>{children}</AppProvider>
      </AppProvider>
    ),
  });
  const { setCurrentUser } = result.current[internals];
  await act(() => setCurrentUser(Promise.resolve(userJson)));
  await act(() => setCurrentUser(Promise.resolve(null)));
  vi.advanceTimersByTime(1000);
  expect(refreshPage).toHaveBeenCalledOnce();
});
