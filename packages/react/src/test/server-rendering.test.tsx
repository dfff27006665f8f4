// @vitest-environment node

import { Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { useUserState } from '../hooks/read-state.ts';
import { ClientApp, TesseraProvider, useUser } from '../index.ts';

const app = new ClientApp({
  tokenStore: 'cookie',
  baseUrl: 'https://auth.example',
  projectId: 'p1',
  publishableClientKey: 'pck',
});

function Name() {
  return <p>{useUser()?.displayName ?? 'signed out'}</p>;
}

function ReadState() {
  return <p>{useUserState().value === undefined ? 'not known yet' : 'known'}</p>;
}

test('on a server a hook explains what to do, and the browser renders from the nearest boundary on', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const html = renderToString(
    <TesseraProvider app={app}>
      <Suspense fallback="one moment">
        <Name />
      </Suspense>
    </TesseraProvider>,
  );
  expect(html).toContain('one moment');
  expect(html).toContain('A component with a Tessera hook needs a &lt;Suspense&gt;.');
  const bare = (
    <TesseraProvider app={app} suspense={false}>
      {<Name />}
    </TesseraProvider>
  );
  expect(() => renderToString(bare)).toThrow('A component with a Tessera hook needs a <Suspense>.');
});

test('on a server a read state is empty', () => {
  const html = renderToString(
    <TesseraProvider app={app}>
      <ReadState />
    </TesseraProvider>,
  );
  expect(html).toContain('not known yet');
});
