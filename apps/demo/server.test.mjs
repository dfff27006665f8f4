import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
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
  it('waits for the keys, and says so', async () => {
    expect((await get('/config.json')).status).toBe(503);
    const page = await get('/shelf');
    expect(page.status).toBe(503);
    expect(page.body).toContain('Shelfmark is waiting');
  });

  it('ignores keys that are half written', async () => {
    await writeFile(join(folder, 'keys.json'), '{"projects": {');
    expect((await get('/config.json')).status).toBe(503);
  });

  it('hands out the public key of the demo project, and nothing else', async () => {
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

  it('only reads', async () => {
    expect((await get('/', 'POST')).status).toBe(405);
  });

  it('sends security headers with everything', async () => {
    const { headers } = await get('/config.json');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });
});

/** Without the tidying that fetch does to paths. */
function get(path, method = 'GET') {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method }, async response => {
      const chunks = await response.toArray();
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() });
    });
    outgoing.on('error', reject).end();
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
