// @vitest-environment node

import { ClientApp, type UserJson } from '@tessera/client';
import type { ReactNode } from 'react';
import { renderToReadableStream } from 'react-dom/server.browser';
import { afterEach, expect, test, vi } from 'vitest';
import { TesseraBoundary, TesseraHandler, TesseraProvider, UserButton, useUser } from '../index.ts';
import { userJson } from '../test/user-json.ts';

const app = new ClientApp({
  tokenStore: 'cookie',
  baseUrl: 'https://auth.example',
  projectId: 'p1',
  publishableClientKey: 'pck',
  // Such an app cannot be serialised, so a server and its browsers create it on their own.
  redirectMethod: { useNavigate: () => () => undefined },
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Renders on a server. Fails when something throws, because frameworks then answer with status 500. */
async function render(children: ReactNode, initialUser?: UserJson | null): Promise<string> {
  const fetch = vi.fn();
  const onError = vi.fn();
  vi.stubGlobal('fetch', fetch);
  const stream = await renderToReadableStream(
    <TesseraProvider app={app} initialUser={initialUser}>
      {children}
    </TesseraProvider>,
    { onError },
  );
  await stream.allReady;
  const html = await new Response(stream).text();
  expect([onError.mock.calls, fetch.mock.calls]).toEqual([[], []]);
  return html;
}

function Name() {
  return <p>{useUser()?.displayName ?? 'no user'}</p>;
}

test('hooks render the initial user on a server, and an app serves many users', async () => {
  const names = ['Ada', 'Grace', 'Linus'];
  const pages = await Promise.all(names.map(display_name => render(<Name />, { ...userJson, display_name })));
  for (const [index, name] of names.entries()) expect(pages[index]).toContain(`<p>${name}</p>`);
  expect(await render(<Name />, null)).toContain('<p>no user</p>');
});

test('a boundary adds nothing on a server to children that know their user', async () => {
  const html = await render(
    <TesseraBoundary fullPage>
      <Name />
    </TesseraBoundary>,
    userJson,
  );
  expect(html).not.toContain('tessera-root');
  expect(html).toContain(`<p>${userJson.display_name}</p>`);
});

test('a page and the user button reserve their place on a server, with and without an initial user', async () => {
  for (const user of [undefined, null, userJson]) {
    const html = await render(
      <>
        <TesseraHandler location="/handler/sign-in" fullPage />
        <UserButton />
      </>,
      user,
    );
    expect(html).toContain('tessera-page');
    expect(html).toContain('width:44px;height:44px');
  }
});
