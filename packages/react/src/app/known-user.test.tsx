import { ClientApp, type TokenStoreInit, type UserJson } from '@tessera/client';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode, Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useUser } from '../hooks/hooks.ts';
import { settle } from '../test/show.tsx';
import { userJson } from '../test/user-json.ts';
import { TesseraProvider } from './provider.tsx';

const fetch = vi.fn();

beforeEach(() => vi.stubGlobal('fetch', fetch));
afterEach(() => {
  expect(fetch).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});

function Name() {
  return <p>{useUser()?.displayName ?? 'no user'}</p>;
}

function createApp(tokenStore: TokenStoreInit = 'memory') {
  return new ClientApp({
    tokenStore,
    baseUrl: 'https://auth.example',
    projectId: 'p1',
    publishableClientKey: 'k',
  });
}

const note = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Note' }).value;

function page(app: ClientApp<true>, initialUser: UserJson | null | undefined) {
  return (
    <StrictMode>
      <Suspense fallback="the page is loading">
        <TesseraProvider app={app} initialUser={initialUser}>
          <Name />
          <input aria-label="Note" />
        </TesseraProvider>
      </Suspense>
    </StrictMode>
  );
}

test('a provider whose initial user becomes null again shows no user', async () => {
  const app = createApp();
  const { container, rerender } = render(page(app, null));
  await settle();
  expect(container.textContent).toBe('no user');
  rerender(page(app, userJson));
  await settle();
  expect(container.textContent).toBe('Ada');
  rerender(page(app, null));
  await settle();
  expect(container.textContent).toBe('no user');
});

test('a provider that is mounted again with the initial user null shows no user', async () => {
  const app = createApp();
  const first = render(page(app, null));
  await settle();
  first.rerender(page(app, userJson));
  await settle();
  first.unmount();
  const second = render(page(app, null));
  await settle();
  expect(second.container.textContent).toBe('no user');
});

test('a provider with another initial user keeps the page visible', async () => {
  const app = createApp();
  const { container, rerender } = render(page(app, userJson));
  await settle();
  rerender(page(app, { ...userJson, display_name: 'Ada King' }));
  expect(container.textContent).not.toContain('the page is loading');
  await settle();
  expect(container.textContent).toBe('Ada King');
});

test('a provider with another app gives the initial user to this app', async () => {
  const { container, rerender } = render(page(createApp(), userJson));
  await settle();
  rerender(page(createApp(), userJson));
  await settle();
  expect(container.textContent).toBe('Ada');
});

test('a provider whose initial user becomes undefined keeps the user and the input of the page', async () => {
  const app = createApp();
  const { container, rerender } = render(page(app, userJson));
  await settle();
  await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'call Grace');
  rerender(page(app, undefined));
  await settle();
  expect([container.textContent, note()]).toEqual(['Ada', 'call Grace']);
  rerender(page(app, { ...userJson, display_name: 'Ada King' }));
  await settle();
  expect([container.textContent, note()]).toEqual(['Ada King', 'call Grace']);
});

test('a provider whose initial user is known later keeps the input of the page', async () => {
  const app = createApp();
  const { container, rerender } = render(page(app, undefined));
  await settle();
  expect(container.textContent).toBe('no user');
  await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'call Grace');
  rerender(page(app, userJson));
  await settle();
  expect([container.textContent, note()]).toEqual(['Ada', 'call Grace']);
});

test('an initial user that arrives after the sign-out is not shown', async () => {
  let refreshToken: string | null = 'r';
  const app = createApp({ get: () => ({ accessToken: null, refreshToken }), set: () => {} });
  const { container, rerender } = render(page(app, userJson));
  await settle();
  expect(container.textContent).toBe('Ada');
  refreshToken = null;
  rerender(page(app, { ...userJson }));
  await settle();
  expect(container.textContent).toBe('no user');
});
