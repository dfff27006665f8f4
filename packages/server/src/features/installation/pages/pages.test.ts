import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { ask, internalKeys } from '../../../test/call.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { plainPasswords } from '../../sign-in/scene.fixtures.ts';
import { prepareInstallation } from '../index.ts';

let server: TestServer;
beforeAll(async () => {
  const environment = { TESSERA_MODE: 'production', TESSERA_PUBLIC_URL: 'https://auth.example.com' };
  server = await openTestServer({ environment, passwords: plainPasswords() });
});
afterAll(() => server.close());

const person = { email: 'first@example.com', password: 'quiet lantern orbit' };

/** Opens a page, fills in its form, and submits it. @returns the text that the page then shows */
async function fill(link: string, values: Record<string, string>): Promise<string> {
  const url = new URL(link, 'https://auth.example.com');
  const { status, text } = await ask(server.app, url.pathname + url.search);
  expect(status).toBe(200);
  const [, work = '', key = ''] = /<form data-work="(\w+)" data-key="([^"]+)"/.exec(text) ?? [];
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? [];
  const said = { textContent: '' };
  const button = { disabled: false };
  let submit = async (_: { preventDefault(): void }): Promise<void> => undefined;
  const form = {
    dataset: { work, key },
    hidden: false,
    elements: { namedItem: (name: string) => ({ value: values[name] ?? '' }) },
    querySelector: () => button,
    addEventListener: (_: string, listener: typeof submit) => {
      submit = listener;
    },
  };
  runInNewContext(script, {
    document: { querySelector: (what: string) => (what === 'form' ? form : said), querySelectorAll: () => [] },
    location: url,
    URLSearchParams,
    fetch: (path: string, init: RequestInit) => server.app(new Request(new URL(path, url), init)),
  });
  await submit({ preventDefault: () => undefined });
  return said.textContent;
}

test('the page of the first-owner link creates the owner', async () => {
  const { ownerLink = '' } = await prepareInstallation(server.deps);
  expect(await fill(ownerLink, { ...person, password: 'password' })).not.toBe('You own this installation now.');
  expect(await fill(ownerLink, person)).toBe('You own this installation now.');
  const owners = await server.deps.db.query(sql`select owner_user_id is not null as yes from installation`);
  expect(owners).toEqual([{ yes: true }]);
  expect(await fill(ownerLink, person)).toMatch(/\S/);
});

test('the command line is logged in by the user who confirms on its page', async () => {
  const started = await server.call('POST /auth/cli', {});
  const { login_code: code, polling_code: polling } = started.json as { login_code: string; polling_code: string };
  const link = `/dashboard/handler/cli-auth-confirm?login_code=${code}`;
  const wrong = await fill(link, { ...person, password: 'not it at all' });
  expect(wrong).toMatch(/\S/);
  expect(await fill(link, person)).toContain('Done');
  const polled = await server.call('POST /auth/cli/poll', { body: { polling_code: polling } });
  expect(polled.json).toEqual({ status: 'success', refresh_token: expect.any(String) });
});

test('every other link leads to a page that lists the available endpoints', async () => {
  for (const path of ['/dashboard', '/dashboard/projects/1/emails']) {
    const { status, text } = await ask(server.app, path);
    expect(status).toBe(200);
    expect(text).toContain('https://auth.example.com/api/v1/internal/emails');
  }
});

test('control 88: the pages run only their own script, and cannot be framed', async () => {
  const { headers, text } = await ask(server.app, '/dashboard/first-owner');
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(text).toContain(`data-key="${internalKeys.publishableClientKey}"`);
  expect(text).not.toContain(internalKeys.secretServerKey);
});
