import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { ClientApp } from '@tessera/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/server.ts';
import { openTerminal, type Terminal } from '../../test/terminal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Confirms the login as the page of the app does. */
function confirmInBrowser(projectId: string, refreshToken: () => string, seen: string[] = []): (url: string) => void {
  return url => {
    seen.push(url);
    answerInBrowser(projectId, '/auth/cli/complete', { ...loginCodeOf(url), refresh_token: refreshToken() });
  };
}

const loginCodeOf = (url: string) => ({ login_code: new URL(url).searchParams.get('login_code') });

function answerInBrowser(projectId: string, path: string, body: object): void {
  void fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'client',
      'x-stack-project-id': projectId,
      'x-stack-publishable-client-key': server.keys[projectId]?.publishableClientKey ?? '',
    },
    body: JSON.stringify(body),
  });
}

const loginFile = (terminal: Terminal) => join(terminal.configFolder, 'logins.json');

async function logIn(projectId = server.demo) {
  const person = await server.person(projectId);
  const openBrowser = confirmInBrowser(projectId, () => person.refreshToken);
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir }, { openBrowser });
  expect(await terminal.run('login', '--project', projectId)).toMatchObject({ code: 0 });
  return { person, terminal };
}

test('login uses the demo in a repository with a development server, whoami shows the user, logout ends it', async () => {
  const ada = await server.person(server.demo, 'ada');
  const seen: string[] = [];
  const openBrowser = confirmInBrowser(server.demo, () => ada.refreshToken, seen);
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir }, { openBrowser });

  const login = await terminal.run('login', '--json');
  expect(login).toMatchObject({
    code: 0,
    json: {
      apiUrl: server.url,
      projectId: server.demo,
      user: { id: ada.id, displayName: null, primaryEmail: ada.email },
    },
  });
  expect(seen).toEqual([
    expect.stringMatching(/^http:\/\/localhost:4281\/handler\/cli-auth-confirm\?login_code=\w{45}$/),
  ]);
  expect(login.stderr).toContain(seen[0]);
  expect(statSync(loginFile(terminal)).mode & 0o777).toBe(0o600);
  expect(statSync(terminal.configFolder).mode & 0o777).toBe(0o700);

  expect(await terminal.run('whoami')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining(ada.email),
  });
  expect(await terminal.run('logout', '--json')).toMatchObject({
    code: 0,
    stderr: '',
    json: { loggedOut: [{ apiUrl: server.url, projectId: server.demo, endedAtServer: true }] },
  });
  expect(existsSync(loginFile(terminal))).toBe(false);
  expect(await terminal.run('whoami')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('tessera login'),
  });

  const { publishableClientKey = '' } = server.keys[server.demo] ?? {};
  const tokenStore = { accessToken: null, refreshToken: ada.refreshToken };
  const app = new ClientApp({ tokenStore, projectId: server.demo, publishableClientKey, baseUrl: server.url });
  expect(await app.getUser()).toBeNull();
});

test('commands in another folder use the latest login', async () => {
  const { person, terminal } = await logIn();
  const elsewhere = openTerminal({}, { configFolder: terminal.configFolder });
  expect(await elsewhere.run('whoami', '--json')).toMatchObject({ json: { user: { id: person.id } } });
});

test('whoami names the logins of the terminal when there is none for the project', async () => {
  const { terminal } = await logIn('internal');
  const inRepository = openTerminal({ TESSERA_DATA_DIR: server.dataDir }, { configFolder: terminal.configFolder });
  const { code, stderr } = await inRepository.run('whoami');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`--project internal --api-url ${server.url}`)]);
});

test('an owner who is logged in to internal administers projects without keys', async () => {
  const { terminal } = await logIn('internal');
  const elsewhere = openTerminal({}, { configFolder: terminal.configFolder });
  const created = await elsewhere.run('projects', 'create', 'Shop', '--json');
  const { id } = created.json as { id: string };
  expect(created.json).toMatchObject({ displayName: 'Shop', config: { credentialEnabled: true } });
  expect((await elsewhere.run('projects', 'list')).stdout).toContain(id);
  expect(await elsewhere.run('keys', 'create', '--project', id)).toMatchObject({ code: 0 });
  const settings = await server.database.query('select config from projects where id = $1', [id]);
  expect(settings).toMatchObject([
    {
      config: {
        invitationsBoundToAddress: true,
        passkeyCountsAsBothFactors: true,
        asksForVerificationCode: true,
        signInNoticesEnabled: true,
        freshSignInWithinMs: 600_000,
      },
    },
  ]);
  expect(await elsewhere.run('users', 'create', '--project', id, 'eve@example.com')).toMatchObject({
    code: 0,
  });
  expect(await elsewhere.run('projects', 'delete', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"Shop"'),
  });
  expect(await elsewhere.run('projects', 'delete', id, '--yes')).toMatchObject({ code: 0 });
  expect((await elsewhere.run('projects', 'list')).stdout).not.toContain(id);
});

test('a user who does not own a project is refused with a hint', async () => {
  await logIn('internal');
  const { terminal } = await logIn('internal');
  const elsewhere = openTerminal({}, { configFolder: terminal.configFolder });
  expect(await elsewhere.run('keys', 'list', '--project', server.demo)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN)'),
  });
});

test('a login that is not confirmed in time expires', async () => {
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir });
  expect(await terminal.run('login', '--expires-in', '0s')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('or the time to confirm it has expired.'),
  });
  expect(existsSync(loginFile(terminal))).toBe(false);
});

test('a login that is declined in the browser ends', async () => {
  const openBrowser = (url: string) => answerInBrowser(server.demo, '/extensions/cli-logins/decline', loginCodeOf(url));
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir }, { openBrowser });
  expect(await terminal.run('login')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('The login was declined in the browser'),
  });
  expect(existsSync(loginFile(terminal))).toBe(false);
});

test('a login fails when the session of the browser has ended', async () => {
  const openBrowser = confirmInBrowser(server.demo, () => '0'.repeat(45));
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir }, { openBrowser });
  expect(await terminal.run('login')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('signed out in the browser in the meantime'),
  });
  expect(existsSync(loginFile(terminal))).toBe(false);
});

test('a login whose session was ended must log in again', async () => {
  const { person, terminal } = await logIn();
  await terminal.run('users', 'sign-out', person.id, '--yes');
  expect(await terminal.run('whoami')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has ended. Log in again'),
  });
});

test('Ctrl-C cancels a waiting login', async () => {
  const stop = new AbortController();
  const terminal = openTerminal(
    { TESSERA_DATA_DIR: server.dataDir },
    { signal: stop.signal, openBrowser: () => stop.abort() },
  );
  expect(await terminal.run('login', '--expires-in', '1m')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Stopped.'),
  });
});

test.each([
  ['used', 'already used this login'],
  ['strange', 'The login failed.'],
])('a login with the status %s fails with an explanation', async (status, sentence) => {
  const answers: Record<string, object> = {
    '/health': { status: 'ok' },
    '/api/v1/auth/cli': { polling_code: 'p', login_code: 'l', expires_at: '2030-01-01T00:00:00.000Z' },
    '/api/v1/auth/cli/poll': { status },
  };
  const stub = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url ?? '']));
  });
  await new Promise<void>(resolve => stub.listen(0, '127.0.0.1', resolve));
  const { port } = stub.address() as { port: number };
  const options = [
    '--api-url',
    `http://127.0.0.1:${port}`,
    '--project',
    'p',
    '--publishable-key',
    'k',
    '--app-url',
    'http://localhost:1',
  ];
  expect(await openTerminal({}).run('login', ...options)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(sentence),
  });
  stub.close();
});

test('logout deletes the login and warns when the server is unreachable', async () => {
  const { terminal } = await logIn();
  const file = loginFile(terminal);
  const { logins } = JSON.parse(readFileSync(file, 'utf8'));
  expect(logins).toHaveLength(1);
  writeFileSync(file, JSON.stringify({ logins: [{ ...logins[0], apiUrl: 'http://127.0.0.1:1' }] }));
  const ran = await openTerminal({}, { configFolder: terminal.configFolder }).run('logout', '--json');
  expect(ran).toMatchObject({
    code: 0,
    json: { loggedOut: [{ endedAtServer: false }] },
    stderr: expect.stringContaining('could not end the session'),
  });
  expect(existsSync(file)).toBe(false);
});

test('a damaged login file is not overwritten', async () => {
  const { terminal } = await logIn();
  writeFileSync(loginFile(terminal), '{');
  expect(await terminal.run('whoami')).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') });
  expect(readFileSync(loginFile(terminal), 'utf8')).toBe('{');
});
