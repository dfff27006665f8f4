import { readFile } from 'node:fs/promises';
import { ask } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../test/harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const security = {
  'content-security-policy': '',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': '',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store, max-age=0',
};
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': '*',
};

describe('/health', () => {
  test.each(['/health', '/health?db=', '/health?db=1', '/health?db=yes&more=1'])(
    '%s is answered with 200 and allows every origin',
    async path => {
      const { status, json, headers } = await ask(server.app, path);
      expect([status, json]).toEqual([200, { status: 'ok' }]);
      expect(Object.fromEntries(headers)).toEqual({ ...security, ...openToAll, 'content-type': 'application/json' });
    },
  );
});

describe('/', () => {
  test('is a page with links', async () => {
    const { status, text, headers } = await ask(server.app, '/');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(match => match[1]);
    expect(links).toEqual(['/dashboard', '/api/v1', '/api/v1/openapi.json', '/health', '/dev/mail', '/dev/oauth']);
  });

  test('behind a path prefix, every link has the prefix', async () => {
    const behind = await openTestServer({ environment: { TESSERA_PUBLIC_URL: 'https://example.com/auth/' } });
    const { text } = await ask(behind.app, '/');
    await behind.close();
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(match => match[1]);
    expect(links).toContain('/auth/dashboard');
    expect(links.filter(link => !link?.startsWith('/auth/'))).toEqual([]);
  });

  test('links only to paths that exist', async () => {
    const { text } = await ask(server.app, '/');
    const paths = [...text.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).not.toEqual([]);
    for (const path of paths) expect((await ask(server.app, path)).status, path).toBe(200);
  });

  test('control 76: has a content security policy without scripts and frames', async () => {
    const { text, headers } = await ask(server.app, '/');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text).not.toContain('<script');
  });
});

describe('/metrics', () => {
  async function from(app: TestServer['app'], peerAddress: string | undefined, authorization?: string) {
    const headers = authorization === undefined ? undefined : { authorization };
    const response = await app(new Request('http://localhost:4280/metrics', { headers }), { peerAddress });
    return { status: response.status, text: await response.text() };
  }

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('is answered to the loopback peer %s', async address => {
    await ask(server.app, '/api/v1');
    const { status, text } = await from(server.app, address);
    expect(status).toBe(200);
    expect(text).toMatch(/^tessera_http_requests_total\{route="GET \/",status="200"\} [1-9]/m);
  });

  test.each([undefined, '10.0.0.1', '::ffff:10.0.0.1', '127.0.0.1.evil.example', '2001:db8::1'])(
    'is refused with 403 for the peer %s',
    async address => {
      expect((await from(server.app, address)).status).toBe(403);
    },
  );

  test('is refused with 403 for another host name, as of a page that uses DNS rebinding, and for a proxy', async () => {
    for (const [url, headers] of [
      ['http://rebound.example:4280/metrics', {}],
      ['http://localhost:4280/metrics', { 'x-forwarded-for': '192.0.2.1' }],
    ] as const) {
      const response = await server.app(new Request(url, { headers }), { peerAddress: '127.0.0.1' });
      expect(response.status).toBe(403);
    }
  });

  test('with TESSERA_METRICS_TOKEN the metrics answer to the token from any address', async () => {
    const guarded = await openTestServer({ environment: { TESSERA_METRICS_TOKEN: 'a token for metrics' } });
    const statuses = await Promise.all(
      ['Bearer a token for metrics', 'bearer a token for metrics', 'Bearer wrong', 'Bearer ', undefined].map(
        async authorization => (await from(guarded.app, '10.0.0.1', authorization)).status,
      ),
    );
    const onMachine = await from(guarded.app, '127.0.0.1');
    expect([statuses, onMachine.status]).toEqual([[200, 403, 403, 403, 403], 403]);
    await guarded.close();
  });

  test.each(['127.0.0.1', '::1', '10.0.0.1', undefined])(
    'in production without TESSERA_METRICS_TOKEN the metrics do not exist for peer %s',
    async address => {
      const production = await openTestServer({ environment: { TESSERA_MODE: 'production' } });
      const answers = [await from(production.app, address), await from(production.app, address, 'Bearer undefined')];
      await production.close();
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    },
  );

  test('in production with TESSERA_METRICS_TOKEN the metrics answer to the token only', async () => {
    const environment = { TESSERA_MODE: 'production', TESSERA_METRICS_TOKEN: 'a token for metrics' };
    const production = await openTestServer({ environment });
    const answers = [
      await from(production.app, '10.0.0.1', 'Bearer a token for metrics'),
      await from(production.app, '127.0.0.1'),
    ];
    await production.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 403]);
  });

  test('labels requests by route, so that a path chosen by a caller adds no time series', async () => {
    for (const path of ['/api/v1/nowhere', '/api/v1/nowhere-else', '/api/v1/projects/internal/.well-known/jwks.json']) {
      await ask(server.app, path);
    }
    const { text } = await from(server.app, '127.0.0.1');
    expect(text).not.toMatch(/nowhere|internal/);
    expect(text).toMatch(/route="unknown",status="404"/);
  });
});

describe('/dev', () => {
  const get = async (url: string, peerAddress?: string) =>
    (await server.app(new Request(url), peerAddress === undefined ? {} : { peerAddress })).status;
  const paths = ['/dev/mail', '/dev/mail.json', '/dev/oauth'];

  test.each(['localhost:4280', '127.0.0.1:4280', '[::1]:4280', 'localhost'])(
    'answers a loopback peer that names the host %s',
    async host => {
      for (const path of paths) expect(await get(`http://${host}${path}`, '127.0.0.1'), path).toBe(200);
    },
  );

  test.each(['x-forwarded-for', 'x-real-ip', 'forwarded'])(
    'is 404 for a request that a local proxy forwards with %s',
    async name => {
      const request = new Request('http://localhost:4280/dev/mail', { headers: { [name]: '203.0.113.7' } });
      expect((await server.app(request, { peerAddress: '127.0.0.1' })).status).toBe(404);
    },
  );

  test.each(['10.0.0.1', '203.0.113.7', '::ffff:10.0.0.1', '2001:db8::1'])('is 404 for the peer %s', async peer => {
    for (const path of paths) expect(await get(`http://localhost:4280${path}`, peer), path).toBe(404);
  });

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.2', 'localhost.'])(
    'is 404 for a loopback peer that names the host %s (DNS rebinding)',
    async host => {
      for (const path of paths) expect(await get(`http://${host}${path}`, '127.0.0.1'), path).toBe(404);
    },
  );

  test('answers requests for the host of the public URL', async () => {
    const named = await openTestServer({ environment: { TESSERA_PUBLIC_URL: 'http://auth.test:4280' } });
    const answer = await named.app(new Request('http://auth.test:4280/dev/mail'), { peerAddress: '::1' });
    await named.close();
    expect(answer.status).toBe(200);
  });
});

test.each(['/metrics', '/metrics/'])('the proxies of deploy/ hide %s, which the server answers', async path => {
  expect((await ask(server.app, path)).status).not.toBe(404);
  const file = (name: string) => readFile(new URL(`../../../../deploy/proxies/${name}`, import.meta.url), 'utf8');
  const [, pattern = 'none'] = /location ~ (\S*metrics\S*) \{\s+return 404;/.exec(await file('nginx.conf')) ?? [];
  expect(path).toMatch(new RegExp(pattern));
  const [, hidden = ''] = /@metrics path (.+)/.exec(await file('Caddyfile')) ?? [];
  expect(hidden.split(' ')).toContain(path);
});
