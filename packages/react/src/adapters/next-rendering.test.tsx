// @vitest-environment node

import type { UserJson } from '@tessera/client';
import { Suspense } from 'react';
import { renderToReadableStream } from 'react-dom/server.browser';
import { expect, test, vi } from 'vitest';
import { useUser } from '../index.ts';
import { userJson } from '../test/user-json.ts';
import { AppProvider } from './next-client.tsx';

vi.mock('next/navigation.js', () => ({
  usePathname: () => '/',
  useRouter: () => ({ push() {}, replace() {}, refresh() {} }),
}));

const data = {
  baseUrl: 'https://auth.example',
  projectId: 'p1',
  publishableClientKey: 'pck',
  tokenStore: 'nextjs-cookie',
  urls: {},
  oauthScopesOnSignIn: {},
  redirectMethod: 'nextjs',
  extraRequestHeaders: {},
} as const;

function Name() {
  return <p>{useUser()?.displayName ?? 'no user'}</p>;
}

async function render(user: UserJson | null | undefined): Promise<string> {
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  const stream = await renderToReadableStream(
    <AppProvider data={data} initialUser={user}>
      <Suspense fallback="one moment">
        <Name />
      </Suspense>
    </AppProvider>,
    { onError: () => undefined },
  );
  await stream.allReady;
  const html = await new Response(stream).text();
  expect(fetch).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
  return html;
}

test('hooks render the initial user on the server, without a request', async () => {
  expect(await render(userJson)).toContain('Ada');
});

test('hooks render on the server that no user is signed in', async () => {
  expect(await render(null)).toContain('no user');
});

test('concurrent responses on one server never mix their users', async () => {
  const names = ['Ada', 'Grace', 'Linus', 'Anita'];
  const pages = await Promise.all(names.map(display_name => render({ ...userJson, display_name })));
  for (const [index, name] of names.entries()) {
    expect(names.filter(other => pages[index]?.includes(`<p>${other}</p>`))).toEqual([name]);
  }
});

test('without an initial user the browser renders from the nearest boundary on', async () => {
  expect(await render(undefined)).toContain('one moment');
});

test('without a boundary the error has the digest that Next.js knows, and a reason for its sentence', async () => {
  const page = renderToReadableStream(
    <AppProvider data={data}>
      <Name />
    </AppProvider>,
    { onError: () => undefined },
  );
  await expect(page).rejects.toMatchObject({
    digest: 'BAILOUT_TO_CLIENT_SIDE_RENDERING',
    // Next.js adds: "should be wrapped in a suspense boundary".
    reason: 'A component with a Tessera hook',
  });
});
