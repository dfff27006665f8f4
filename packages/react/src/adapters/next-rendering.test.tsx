// @vitest-environment node

import type { UserJson } from '@tessera/client';
import { Suspense } from 'react';
import { renderToReadableStream } from 'react-dom/server.browser';
import { expect, test, vi } from 'vitest';
import { useUser } from '../index.ts';
import { AppProvider } from './next-client.tsx';

vi.mock('next/navigation.js', () => ({ usePathname: () => '/', useRouter: () => ({ push() {}, replace() {} }) }));

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

const userJson: UserJson = {
  id: '3241a285-8329-4d69-8f3d-316e08cf140c',
  primary_email: 'ada@example.com',
  primary_email_verified: false,
  display_name: 'Ada',
  client_metadata: null,
  client_read_only_metadata: null,
  profile_image_url: null,
  signed_up_at_millis: 1,
  has_password: true,
  auth_with_email: true,
  oauth_providers: [],
  selected_team_id: null,
  selected_team: null,
  requires_totp_mfa: false,
  otp_auth_enabled: false,
  passkey_auth_enabled: false,
  is_anonymous: false,
};

function Name() {
  return <p>{useUser()?.displayName ?? 'no user'}</p>;
}

async function render(user: UserJson | null | undefined): Promise<string> {
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  const stream = await renderToReadableStream(
    <AppProvider data={data} initial={user === undefined ? undefined : { user }}>
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
