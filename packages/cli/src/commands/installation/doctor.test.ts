import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { createTestDatabase } from '@tessera/testing/database';
import { closedPort } from '@tessera/testing/free-port';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../doctor/check.ts';
import { fixes } from '../../doctor/fixes.ts';
import { startServer, type TestServer } from '../../test/server.ts';
import { openTerminal } from '../../test/terminal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The findings with a status other than ok. */
async function findProblems(
  env: Record<string, string>,
): Promise<{ code: number; found: Pick<Finding, 'name' | 'status' | 'fix'>[] }> {
  const { code, json, stderr } = await openTerminal(env).run('doctor', '--json');
  const { findings } = json as { findings: Finding[] };
  expect(stderr === '').toBe(code === 0);
  const found = findings.filter(({ status }) => status === 'wrong' || status === 'warning');
  return { code, found: found.map(({ name, status, fix }) => ({ name, status, ...(fix !== undefined && { fix }) })) };
}

const healthy = () => ({
  TESSERA_DATA_DIR: server.dataDir,
  TESSERA_MODE: 'development',
  DATABASE_URL: server.database.url,
});

/** A proxy in front of the server that changes requests and responses. */
async function proxy(change: {
  request?: (headers: IncomingMessage['headers'], path: string) => void;
  answer?: (headers: IncomingMessage['headers']) => void;
  answersItself?: (path: string, response: ServerResponse) => boolean;
}): Promise<string> {
  const { port } = new URL(server.url);
  const front = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    if (change.answersItself?.(url, outgoing) === true) return;
    change.request?.(headers, url);
    const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers }, answer => {
      change.answer?.(answer.headers);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  return startListening(front);
}

async function startListening(listener: Server): Promise<string> {
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  closing.push(() => listener.close());
  return `http://localhost:${(listener.address() as { port: number }).port}`;
}

/** An environment with the proxy's address and the keys of the Demo project. */
function proxyEnvironment(url: string): Record<string, string> {
  const { publishableClientKey = '', secretServerKey = '' } = server.keys[server.demo] ?? {};
  return {
    TESSERA_API_URL: url,
    TESSERA_PROJECT_ID: server.demo,
    TESSERA_PUBLISHABLE_CLIENT_KEY: publishableClientKey,
    TESSERA_SECRET_SERVER_KEY: secretServerKey,
    TESSERA_MODE: 'development',
  };
}

test('doctor finds no problem in a healthy installation', async () => {
  expect(await findProblems(healthy())).toEqual({ code: 0, found: [] });
  const { stdout, stderr } = await openTerminal(healthy()).run('doctor');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/ok {7}database version: PostgreSQL \d\d/);
  expect(stdout).toContain('keys: Valid');
});

test('doctor reports a server that does not answer', async () => {
  const url = `http://localhost:${closedPort}`;
  expect(await findProblems({ ...proxyEnvironment(url) })).toEqual({
    code: 1,
    found: [{ name: 'server', status: 'wrong', fix: 'tessera start' }],
  });
});

test('doctor reports another program at the address', async () => {
  const url = await proxy({ answersItself: (_, response) => Boolean(response.writeHead(404).end('nginx')) });
  expect(await findProblems(proxyEnvironment(url))).toEqual({
    code: 1,
    found: [{ name: 'server', status: 'wrong', fix: fixes.proxy }],
  });
});

test('doctor reports a public URL that differs from the address', async () => {
  const url = await proxy({});
  expect(await findProblems(proxyEnvironment(url))).toEqual({
    code: 1,
    found: [{ name: 'public URL', status: 'wrong', fix: `TESSERA_PUBLIC_URL=${url}` }],
  });
});

/** At an address that the server does not know, doctor also reports the public URL. */
const besidesAddress = async (change: Parameters<typeof proxy>[0]) => {
  const { code, found } = await findProblems(proxyEnvironment(await proxy(change)));
  return { code, names: found.map(({ name }) => name).filter(name => name !== 'public URL') };
};

test('doctor reports a proxy that removes request headers', async () => {
  const drop = (headers: IncomingMessage['headers']) => {
    for (const name of Object.keys(headers)) if (name.startsWith('x-stack-')) delete headers[name];
  };
  expect(await besidesAddress({ request: drop })).toEqual({ code: 1, names: ['request headers', 'keys'] });
});

test('doctor reports a proxy that removes response headers', async () => {
  const drop = (headers: IncomingMessage['headers']) => {
    delete headers['access-control-expose-headers'];
  };
  expect(await besidesAddress({ answer: drop })).toEqual({ code: 1, names: ['response headers'] });
});

test('doctor reports a clock that is an hour ahead', async () => {
  const shift = (headers: IncomingMessage['headers']) => {
    headers.date = new Date(Date.now() + 3_600_000).toUTCString();
  };
  expect(await besidesAddress({ answer: shift })).toEqual({ code: 1, names: ['clock'] });
});

test('doctor reports a proxy that blocks the OAuth callback', async () => {
  const answersItself = (path: string, response: ServerResponse) => {
    if (!path.includes('/oauth/callback/')) return false;
    response.writeHead(404).end();
    return true;
  };
  expect(await besidesAddress({ answersItself })).toEqual({ code: 1, names: ['OAuth callback'] });
});

test.each([
  ['/health?db=1', "server's database"],
  ['/api/v1/openapi.json', 'API'],
  ['/oauth/callback/', 'OAuth callback'],
])('doctor reports a connection that is closed instead of an answer to %s, as %s', async (cut, name) => {
  const answersItself = (path: string, response: ServerResponse) => {
    const isCut = path.includes(cut);
    if (isCut) response.destroy();
    return isCut;
  };
  expect(await besidesAddress({ answersItself })).toEqual({ code: 1, names: [name] });
});

test.each([200, 502])(
  'doctor reports a proxy that answers the API with a page and %i, and calls no key valid or wrong',
  async status => {
    const answersItself = (path: string, response: ServerResponse) => {
      if (path === '/health') return false;
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Please sign in to the network</h1>');
      return true;
    };
    const { code, json } = await openTerminal(proxyEnvironment(await proxy({ answersItself }))).run('doctor', '--json');
    const { findings } = json as { findings: Finding[] };
    const found = Object.fromEntries(findings.map(({ name, ...finding }) => [name, finding]));
    expect(code).toBe(1);
    expect(found["server's database"]).toMatchObject({ status: 'wrong' });
    expect(found.keys).toMatchObject({ status: 'wrong', fix: fixes.proxyApi });
  },
);

test('doctor reports invalid keys', async () => {
  const env = { ...healthy(), TESSERA_PROJECT_ID: server.demo, TESSERA_SECRET_SERVER_KEY: 'ssk_wrong' };
  expect(await findProblems(env)).toEqual({
    code: 1,
    found: [{ name: 'keys', status: 'wrong', fix: `tessera keys create --project ${server.demo}` }],
  });
});

test('doctor reports missing migrations and an unreachable database', async () => {
  const empty = await createTestDatabase({ isEmpty: true });
  expect(await findProblems({ ...healthy(), DATABASE_URL: empty.url })).toEqual({
    code: 1,
    found: [{ name: 'database schema', status: 'wrong', fix: 'tessera migrate' }],
  });
  await empty.drop();
  expect(await findProblems({ ...healthy(), DATABASE_URL: empty.url })).toEqual({
    code: 1,
    found: [{ name: 'database', status: 'wrong', fix: fixes.database('DATABASE_URL') }],
  });
});

test('doctor and migrate --dry-run refuse a database that a later release than the next one has migrated', async () => {
  const database = await createTestDatabase();
  closing.push(() => database.drop());
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(`insert into migrations (number, name, checksum) values (9999, '9999-later.sql', '')`);
  await client.query(`update schema_release set version = '9.1.0', min_version = '9.0.0'`);
  await client.end();
  const env = { ...healthy(), DATABASE_URL: database.url };
  expect(await findProblems(env)).toEqual({
    code: 1,
    found: [{ name: 'database schema', status: 'wrong', fix: fixes.release }],
  });
  const checked = await openTerminal(env).run('migrate', '--dry-run');
  expect(checked).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('needs 9.0.0 or newer') });
});

test('doctor reports settings that the server refuses or ignores, and none that only a server needs', async () => {
  const production = { ...healthy(), TESSERA_MODE: 'production' };
  expect((await findProblems(production)).found.filter(({ name }) => name === 'settings')).toEqual([]);
  const { code, found } = await findProblems({
    ...production,
    TESSERA_TRUST_PROXY: 'yes',
    TESSERA_SECRT: 'a'.repeat(32),
  });
  expect(code).toBe(1);
  expect(found.filter(({ name }) => name === 'settings' || name === 'trusted proxy')).toEqual([
    { name: 'settings', status: 'wrong', fix: 'unset TESSERA_TRUST_PROXY' },
    { name: 'settings', status: 'warning', fix: 'unset TESSERA_SECRT' },
  ]);
});

test('doctor checks the addresses of the read replica and of the direct connection', async () => {
  const { url } = server.database;
  const working = { ...healthy(), DATABASE_READ_URL: url, TESSERA_DATABASE_DIRECT_URL: url };
  expect(await findProblems(working)).toEqual({ code: 0, found: [] });
  const refused = `postgresql://tessera@127.0.0.1:${closedPort}/tessera`;
  const broken = { ...working, DATABASE_READ_URL: refused, TESSERA_DATABASE_DIRECT_URL: 'db.example.com' };
  expect(await findProblems(broken)).toEqual({
    code: 1,
    found: ['DATABASE_READ_URL', 'TESSERA_DATABASE_DIRECT_URL'].map(name => ({
      name: 'database',
      status: 'wrong',
      fix: fixes.database(name),
    })),
  });
});

test('doctor names the characters that a password in DATABASE_URL must encode', async () => {
  const terminal = openTerminal({ ...healthy(), DATABASE_URL: 'postgresql://tessera:pass/word@db.example/tessera' });
  const { code, stdout } = await terminal.run('doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^WRONG {4}database: DATABASE_URL must be like .* write %2F for \//m);
});

test('doctor accepts a mail server, reports one that refuses email, and warns without one', async () => {
  const greeting = async (text: string) => {
    const listener = createTcpServer(socket => socket.end(text));
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
    closing.push(() => listener.close());
    return { ...healthy(), TESSERA_SMTP_URL: `smtp://127.0.0.1:${(listener.address() as { port: number }).port}` };
  };
  const wrong = { code: 1, found: [{ name: 'mail', status: 'wrong', fix: fixes.mail }] };
  expect(await findProblems(await greeting('220 mail.example.com ESMTP\r\n'))).toEqual({ code: 0, found: [] });
  expect(await findProblems(await greeting('554 go away\r\n'))).toEqual(wrong);
  expect(await findProblems(await greeting(''))).toEqual(wrong);
  expect(await findProblems({ ...healthy(), TESSERA_SMTP_URL: `smtp://127.0.0.1:${closedPort}` })).toEqual(wrong);
  expect(await findProblems({ ...healthy(), TESSERA_MODE: 'production' })).toEqual({ code: 0, found: [] });
  expect(await findProblems({ ...proxyEnvironment(server.url), TESSERA_MODE: 'production' })).toMatchObject({
    code: 0,
    found: [{ name: 'mail', status: 'warning' }],
  });
});

test('doctor warns of a Node.js release after its end of life and names the day', async () => {
  const { code, json } = await openTerminal(healthy(), { nodeVersion: '20.20.2' }).run('doctor', '--json');
  const node = (json as { findings: Finding[] }).findings.find(({ name }) => name === 'Node.js');
  expect(code).toBe(0);
  expect(node).toEqual({
    name: 'Node.js',
    status: 'warning',
    message: expect.stringContaining('reached its end of life on 2026-04-30'),
    fix: 'nvm install --lts',
  });
});
