import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../doctor/check.ts';
import { fixes } from '../doctor/fixes.ts';
import { createDatabase } from '../test/database.ts';
import { freePort, startServer, type TestServer } from '../test/server.ts';
import { openTerminal } from '../test/terminal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The findings, those that are as they should be left out. */
async function troubles(
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

/** A proxy in front of the server, which does what it is told to requests and answers. */
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
  return listening(front);
}

async function listening(listener: Server): Promise<string> {
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  closing.push(() => listener.close());
  return `http://localhost:${(listener.address() as { port: number }).port}`;
}

/** Seen through a proxy, with the Demo project's keys. */
function through(url: string): Record<string, string> {
  const { publishableClientKey = '', secretServerKey = '' } = server.keys[server.demo] ?? {};
  return {
    TESSERA_API_URL: url,
    TESSERA_PROJECT_ID: server.demo,
    TESSERA_PUBLISHABLE_CLIENT_KEY: publishableClientKey,
    TESSERA_SECRET_SERVER_KEY: secretServerKey,
    TESSERA_MODE: 'development',
  };
}

test('a healthy installation has nothing wrong', async () => {
  expect(await troubles(healthy())).toEqual({ code: 0, found: [] });
  const { stdout, stderr } = await openTerminal(healthy()).run('doctor');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/ok {7}database version: PostgreSQL \d\d/);
  expect(stdout).toContain('keys: Valid');
});

test('a server that does not answer', async () => {
  const url = `http://localhost:${await freePort()}`;
  expect(await troubles({ ...through(url) })).toEqual({
    code: 1,
    found: [{ name: 'server', status: 'wrong', fix: 'tessera start' }],
  });
});

test('something else that answers', async () => {
  const url = await proxy({ answersItself: (_, response) => Boolean(response.writeHead(404).end('nginx')) });
  expect(await troubles(through(url))).toEqual({
    code: 1,
    found: [{ name: 'server', status: 'wrong', fix: fixes.proxy }],
  });
});

test('another address than the server believes to have', async () => {
  const url = await proxy({});
  expect(await troubles(through(url))).toEqual({
    code: 1,
    found: [{ name: 'public URL', status: 'wrong', fix: `TESSERA_PUBLIC_URL=${url}` }],
  });
});

/** What a proxy does at an address that the server does not know shows twice. */
const besidesAddress = async (change: Parameters<typeof proxy>[0]) => {
  const { code, found } = await troubles(through(await proxy(change)));
  return { code, names: found.map(({ name }) => name).filter(name => name !== 'public URL') };
};

test('a proxy that takes headers of requests away', async () => {
  const drop = (headers: IncomingMessage['headers']) => {
    for (const name of Object.keys(headers)) if (name.startsWith('x-stack-')) delete headers[name];
  };
  expect(await besidesAddress({ request: drop })).toEqual({ code: 1, names: ['request headers', 'keys'] });
});

test('a proxy that takes headers of answers away', async () => {
  const drop = (headers: IncomingMessage['headers']) => {
    delete headers['access-control-expose-headers'];
  };
  expect(await besidesAddress({ answer: drop })).toEqual({ code: 1, names: ['answer headers'] });
});

test('a clock that is an hour ahead', async () => {
  const shift = (headers: IncomingMessage['headers']) => {
    headers.date = new Date(Date.now() + 3_600_000).toUTCString();
  };
  expect(await besidesAddress({ answer: shift })).toEqual({ code: 1, names: ['clock'] });
});

test('a proxy that keeps the way back from providers for itself', async () => {
  const answersItself = (path: string, response: ServerResponse) => {
    if (!path.includes('/oauth/callback/')) return false;
    response.writeHead(404).end();
    return true;
  };
  expect(await besidesAddress({ answersItself })).toEqual({ code: 1, names: ['OAuth callback'] });
});

test('keys that are not valid', async () => {
  const env = { ...healthy(), TESSERA_PROJECT_ID: server.demo, TESSERA_SECRET_SERVER_KEY: 'ssk_wrong' };
  expect(await troubles(env)).toEqual({
    code: 1,
    found: [{ name: 'keys', status: 'wrong', fix: `tessera keys create --project ${server.demo}` }],
  });
});

test('a database that is not migrated, and one that is not there', async () => {
  const empty = await createDatabase({ isEmpty: true });
  expect(await troubles({ ...healthy(), DATABASE_URL: empty.url })).toEqual({
    code: 1,
    found: [{ name: 'database schema', status: 'wrong', fix: 'tessera migrate' }],
  });
  await empty.drop();
  expect(await troubles({ ...healthy(), DATABASE_URL: empty.url })).toEqual({
    code: 1,
    found: [{ name: 'database', status: 'wrong', fix: fixes.database }],
  });
});

test('mail servers: one that greets, one that does not take letters, and none', async () => {
  const greeting = async (text: string) => {
    const listener = createTcpServer(socket => socket.end(text));
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
    closing.push(() => listener.close());
    return { ...healthy(), TESSERA_SMTP_URL: `smtp://127.0.0.1:${(listener.address() as { port: number }).port}` };
  };
  const wrong = { code: 1, found: [{ name: 'mail', status: 'wrong', fix: fixes.mail }] };
  expect(await troubles(await greeting('220 mail.example.com ESMTP\r\n'))).toEqual({ code: 0, found: [] });
  expect(await troubles(await greeting('554 go away\r\n'))).toEqual(wrong);
  expect(await troubles(await greeting(''))).toEqual(wrong);
  expect(await troubles({ ...healthy(), TESSERA_SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })).toEqual(wrong);
  expect(await troubles({ ...healthy(), TESSERA_MODE: 'production' })).toEqual({ code: 0, found: [] });
  expect(await troubles({ ...through(server.url), TESSERA_MODE: 'production' })).toMatchObject({
    code: 0,
    found: [{ name: 'mail', status: 'warning' }],
  });
});

test('a Node.js release after its end of life is a warning that names the day', async () => {
  const { code, json } = await openTerminal(healthy(), { nodeVersion: '20.20.2' }).run('doctor', '--json');
  const node = (json as { findings: Finding[] }).findings.find(({ name }) => name === 'Node.js');
  expect(code).toBe(0);
  expect(node).toEqual({
    name: 'Node.js',
    status: 'warning',
    says: expect.stringContaining('reached its end of life on 2026-04-30'),
    fix: 'nvm install --lts',
  });
});
