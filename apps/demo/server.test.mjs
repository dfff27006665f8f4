import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder;
let port;
let server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-demo-'));
  port = await freePort();
  server = spawn(process.execPath, [join(import.meta.dirname, 'server.mjs')], {
    env: { ...process.env, DEMO_PORT: String(port), HOST: '127.0.0.1', TESSERA_DATA_DIR: folder },
  });
  await once(server.stdout, 'data');
});

afterAll(async () => {
  server.kill('SIGTERM');
  const [code] = await once(server, 'exit');
  await rm(folder, { recursive: true });
  expect(code).toBe(0);
});

describe('demo server', () => {
  it('shows that it waits for the key file', async () => {
    expect((await get('/config.json')).status).toBe(503);
    const page = await get('/shelf');
    expect(page.status).toBe(503);
    expect(page.body).toContain('Shelfmark is waiting');
  });

  it('ignores an incomplete key file', async () => {
    await writeFile(join(folder, 'keys.json'), '{"projects": {');
    expect((await get('/config.json')).status).toBe(503);
  });

  it('returns the public key of the demo project, and no other key', async () => {
    const key = { displayName: 'Demo', publishableClientKey: 'pk', secretServerKey: 'sk', superSecretAdminKey: 'ak' };
    const keys = {
      projects: { p1: key, internal: key },
      demo: 'p1',
      internal: 'internal',
      url: 'http://localhost:4280',
    };
    await writeFile(join(folder, 'keys.json'), JSON.stringify(keys));

    const { status, headers, body } = await get('/config.json');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(JSON.parse(body)).toEqual({ baseUrl: 'http://localhost:4280', projectId: 'p1', publishableClientKey: 'pk' });
  });

  it.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fserver.mjs',
    '/..%5cpackage.json',
    '//etc/passwd.txt',
    '/keys.json',
  ])('gives nothing away at %s', async path => {
    const { status, body } = await get(path);
    expect(status).toBe(404);
    expect(body).not.toContain('tessera');
  });

  it.each(['/%', '/%00', '/%E0%A4%A'])('refuses the address %s', async path => {
    expect((await get(path)).status).toBe(400);
  });

  it('refuses methods other than GET and HEAD', async () => {
    expect((await get('/', 'POST')).status).toBe(405);
  });

  it('sends security headers with every response', async () => {
    const { headers } = await get('/config.json');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });
});

describe('the settings of the demo project', () => {
  const config = {
    sign_up_enabled: true,
    credential_enabled: true,
    magic_link_enabled: false,
    passkey_enabled: false,
    client_user_deletion_enabled: true,
    client_team_creation_enabled: false,
    create_team_on_sign_up: false,
    allow_user_api_keys: false,
    allow_team_api_keys: false,
  };
  const asked = [];
  let tessera;

  beforeAll(async () => {
    tessera = createHttpServer(async (incoming, outgoing) => {
      const body = Buffer.concat(await incoming.toArray()).toString();
      asked.push({ method: incoming.method, key: incoming.headers['x-stack-super-secret-admin-key'], body });
      const oauth_providers = [{ id: 'github', type: 'shared' }];
      outgoing.end(
        JSON.stringify({ id: 'p1', config: { ...config, oauth_providers, email_config: { type: 'shared' } } }),
      );
    });
    tessera.listen(0, '127.0.0.1');
    await once(tessera, 'listening');
    const project = {
      displayName: 'Demo',
      publishableClientKey: 'pk',
      secretServerKey: 'sk',
      superSecretAdminKey: 'ak',
    };
    const url = `http://127.0.0.1:${tessera.address().port}`;
    const keys = { projects: { p1: project }, demo: 'p1', internal: 'internal', url };
    await writeFile(join(folder, 'keys.json'), JSON.stringify(keys));
  });

  afterAll(() => tessera.close());

  const path = '/project-settings.json';
  const json = { 'content-type': 'application/json' };
  const change = (body, headers = json) => get(path, 'PATCH', { headers, body: JSON.stringify(body) });

  it('are returned without secrets', async () => {
    const { status, body } = await get(path);
    expect([status, JSON.parse(body)]).toEqual([200, { ...config, providers: ['github'] }]);
  });

  it('are changed with the admin key of the project', async () => {
    expect((await change({ magic_link_enabled: true, providers: ['google'] })).status).toBe(200);
    const body = { config: { magic_link_enabled: true, oauth_providers: [{ id: 'google', type: 'shared' }] } };
    expect(asked.at(-1)).toEqual({ method: 'PATCH', key: 'ak', body: JSON.stringify(body) });
  });

  it.each([
    ['another setting', { allow_localhost: false }],
    ['a key', { secret: 'x' }],
    ['another kind of value', { sign_up_enabled: 'no' }],
    ['an unknown provider', { providers: ['x'] }],
    ['nothing', {}],
    ['no object', null],
  ])('do not take %s', async (_, body) => {
    const count = asked.length;
    expect((await change(body)).status).toBe(400);
    expect(asked).toHaveLength(count);
  });

  it.each([
    ['another site', { ...json, origin: 'https://evil.example' }],
    ['a page of another site', { ...json, 'sec-fetch-site': 'cross-site' }],
    ['a page without an address', { ...json, origin: 'null' }],
    ['a name that was made to lead here', { ...json, host: 'evil.example' }],
  ])('are not changed for %s', async (_, headers) => {
    const count = asked.length;
    expect((await change({ sign_up_enabled: false }, headers)).status).toBe(403);
    expect(asked).toHaveLength(count);
  });

  it('are changed by a page of the demo that sends no referrer', async () => {
    const headers = { ...json, origin: 'null', 'sec-fetch-site': 'same-origin' };
    expect((await change({ sign_up_enabled: true }, headers)).status).toBe(200);
  });

  it('are not changed by a form of another page', async () => {
    expect((await change({ sign_up_enabled: false }, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

/** Sends a path unchanged; fetch would normalize it. */
function get(path, method = 'GET', { headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers }, async response => {
      const chunks = await response.toArray();
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() });
    });
    outgoing.on('error', reject).end(body);
  });
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address.port;
}
