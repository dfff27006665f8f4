import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settle } from '../test/show.tsx';
import { json, stubServer } from '../test/stub-server.ts';
import { userJson } from '../test/user-json.ts';

const ada = { email: 'ada@example.com', password: 'violet harbour 93 lamp' };

beforeEach(() => {
  // As in a new page: no provider of another test has prepared the client for hooks.
  vi.resetModules();
  const server = stubServer({ more: { 'GET /teams': () => json({ items: [], is_paginated: false }) } });
  server.addAccount(ada.email, ada.password);
  vi.stubGlobal('fetch', server.fetch);
});
afterEach(() => void vi.unstubAllGlobals());

function Teams({ useUser }: Pick<typeof import('../index.ts'), 'useUser'>) {
  return <p>{useUser({ or: 'throw' }).useTeams().length} teams</p>;
}

/** An app of `@tessera/client`, as in the examples of frameworks that render on a server. */
async function createPage() {
  const { TesseraProvider, useUser } = await import('../index.ts');
  const { ClientApp } = await import('@tessera/client');
  const app = new ClientApp({
    tokenStore: 'memory',
    baseUrl: 'https://auth.example',
    projectId: 'p',
    publishableClientKey: 'k',
  });
  return { app, TesseraProvider, useUser };
}

test('the initial user of the first provider has hooks', async () => {
  const { app, TesseraProvider, useUser } = await createPage();
  render(
    <Suspense>
      <TesseraProvider app={app} initialUser={userJson}>
        <Teams useUser={useUser} />
      </TesseraProvider>
    </Suspense>,
  );
  await settle();
  expect(screen.getByText('0 teams')).toBeTruthy();
});

test('a user that the app has read before the first provider has hooks', async () => {
  const { app, TesseraProvider, useUser } = await createPage();
  await app.signInWithCredential({ ...ada, noRedirect: true });
  await app.getUser();
  render(
    <TesseraProvider app={app}>
      <Teams useUser={useUser} />
    </TesseraProvider>,
  );
  await settle();
  expect(screen.getByText('0 teams')).toBeTruthy();
});
