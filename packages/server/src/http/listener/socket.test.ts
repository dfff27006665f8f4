import { connect } from 'node:net';
import { exchange } from '@tessera/testing/exchange';
import { type ListeningServer, startServer } from '@tessera/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: ListeningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const close = 'Host: localhost\r\nConnection: close\r\n';
const json = 'Content-Type: application/json\r\n';

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}

async function isAlive(): Promise<boolean> {
  return statusOf(await exchange(server.port, `GET /health?db=1 HTTP/1.1\r\n${close}\r\n`)) === 200;
}

describe('control 79: an oversized request is refused with its own status, and the server keeps running', () => {
  const tenMegabytes = Buffer.alloc(10_000_000, 'x');

  test('a body of 10 MB whose length is declared', async () => {
    const head = `POST /api/v1/check-version HTTP/1.1\r\n${close}${json}Content-Length: ${tenMegabytes.length}\r\n\r\n`;
    const answer = await exchange(server.port, head, tenMegabytes);
    expect([statusOf(answer), await isAlive()]).toEqual([413, true]);
  });

  test('a body of 10 MB in chunks', async () => {
    const head = `POST /api/v1/check-version HTTP/1.1\r\n${close}${json}Transfer-Encoding: chunked\r\n\r\n`;
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
    const answer = await exchange(server.port, head, ...Array<Uint8Array>(160).fill(chunk), '0\r\n\r\n');
    expect([statusOf(answer), await isAlive()]).toEqual([413, true]);
  });

  test('a declared length that exceeds every limit', async () => {
    const head = `POST /api/v1/check-version HTTP/1.1\r\n${close}${json}Content-Length: 99999999999999\r\n\r\n`;
    expect([statusOf(await exchange(server.port, head)), await isAlive()]).toEqual([413, true]);
  });

  test('a long URL', async () => {
    const answer = await exchange(server.port, `GET /api/v1/${'x'.repeat(17_000)} HTTP/1.1\r\n${close}\r\n`);
    expect(statusOf(answer)).toBe(414);
  });

  test.each([
    ['an address that is longer than all headers may be', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n${close}\r\n`],
    ['a header', `GET /api/v1 HTTP/1.1\r\n${close}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['many headers', `GET /api/v1 HTTP/1.1\r\n${close}${'X-Many: xxxxxxxxxx\r\n'.repeat(5_000)}\r\n`],
  ])('%s', async (_, request) => {
    expect([statusOf(await exchange(server.port, request)), await isAlive()]).toEqual([431, true]);
  });
});

describe('an invalid request is refused, and the server keeps running', () => {
  test.each<[string, string, number[]]>([
    ['rubbish', 'rubbish\r\n\r\n', [400]],
    ['another protocol', '\x16\x03\x01\x00\xa5\x01\x00\x00', [400]],
    ['another version of HTTP', `GET / HTTP/9.9\r\n${close}\r\n`, [400, 505]],
    ['no host', 'GET /api/v1 HTTP/1.1\r\nConnection: close\r\n\r\n', [400]],
    ['an empty host', 'GET /api/v1 HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', [200, 400]],
    ['a host with a path', 'GET /api/v1 HTTP/1.1\r\nHost: evil.example/api\r\nConnection: close\r\n\r\n', [200, 400]],
    ['a NUL in a header', `GET /api/v1 HTTP/1.1\r\n${close}X: a\0b\r\n\r\n`, [400]],
    [
      'bytes outside of UTF-8 in a header',
      `GET /api/v1 HTTP/1.1\r\n${close}x-stack-access-type: \xff\xfe\r\n\r\n`,
      [400],
    ],
    ['a header name with a blank', `GET /api/v1 HTTP/1.1\r\n${close}bad name: x\r\n\r\n`, [400]],
    ['a folded header', `GET /api/v1 HTTP/1.1\r\n${close}x-stack-access-type: cli\r\n ent\r\n\r\n`, [400]],
    ['two lengths', `POST /api/v1 HTTP/1.1\r\n${close}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, [400]],
    [
      'a length and chunks',
      `POST /api/v1 HTTP/1.1\r\n${close}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      [400],
    ],
    ['a length below zero', `POST /api/v1/check-version HTTP/1.1\r\n${close}${json}Content-Length: -1\r\n\r\n`, [400]],
    [
      'a malformed chunk',
      `POST /api/v1/check-version HTTP/1.1\r\n${close}${json}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
      [400],
    ],
    ['bytes in the address', `GET /api/v1/\xff\xfe HTTP/1.1\r\n${close}\r\n`, [400, 404]],
    ['an address with a host', `GET http://evil.example/api/v1 HTTP/1.1\r\n${close}\r\n`, [200]],
    ['an address without a host', `GET http:///localhost/health HTTP/1.1\r\n${close}\r\n`, [400]],
    ['an address with a fragment', `GET /health#x HTTP/1.1\r\n${close}\r\n`, [400]],
    [
      'a compressed body',
      `POST /api/v1/check-version HTTP/1.1\r\n${close}${json}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
      [415],
    ],
    ['an address that is a star', `OPTIONS * HTTP/1.1\r\n${close}\r\n`, [400, 404]],
    ['an address without a slash', `GET api HTTP/1.1\r\n${close}\r\n`, [400, 404]],
    ['malformed percent signs', `GET /api/v1/%zz?%=%&%ff HTTP/1.1\r\n${close}\r\n`, [404]],
    ['a body on GET', `GET /api/v1 HTTP/1.1\r\n${close}${json}Content-Length: 1\r\n\r\n{`, [200]],
    ['HTTP 1.0', 'GET /api/v1 HTTP/1.0\r\nHost: localhost\r\n\r\n', [200]],
    [
      'an upgrade',
      `GET /api/v1 HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      [200, 400],
    ],
    [
      'an expectation',
      `POST /api/v1/check-version HTTP/1.1\r\n${close}${json}Expect: impossible\r\nContent-Length: 2\r\n\r\n{}`,
      [400, 417],
    ],
  ])('%s', async (_, request, expected) => {
    expect(expected).toContain(statusOf(await exchange(server.port, request)));
    expect(await isAlive()).toBe(true);
  });

  test.each([
    '1.2.3.999',
    'xn--',
    'a b',
    '[::1',
    'localhost:99999',
    'a.example/api',
    'a.example?b',
    'a@b.example',
    '%41',
    '\xe9',
  ])('the Host header %s is refused with 400 on every path', async host => {
    const rest = `Host: ${host}\r\nConnection: close\r\n\r\n`;
    const paths = [
      '/',
      '/health',
      '/metrics',
      '/nowhere',
      '/api/v1',
      '/api/v1/nowhere',
      '/api/v1/users/me',
      '/dev/mail',
    ];
    for (const path of paths) {
      expect(statusOf(await exchange(server.port, `GET ${path} HTTP/1.1\r\n${rest}`)), path).toBe(400);
    }
    const post = `POST /api/v1/check-version HTTP/1.1\r\n${json}Content-Length: 2\r\n${rest}{}`;
    expect(statusOf(await exchange(server.port, post))).toBe(400);
  });

  test.each([
    ['evil.example', 'localhost'],
    ['localhost', 'evil.example'],
    ['localhost', 'localhost'],
  ])('two Host headers, %s and %s, are refused with 400', async (one, other) => {
    const hosts = `Host: ${one}\r\nHost: ${other}\r\n`;
    for (const path of ['/health', '/api/v1']) {
      const answer = await exchange(server.port, `GET ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      expect(statusOf(answer), path).toBe(400);
    }
  });

  test('HTTP/1.0 without a Host header gets 200 from /health, as load balancers ask', async () => {
    expect(statusOf(await exchange(server.port, 'GET /health HTTP/1.0\r\n\r\n'))).toBe(200);
    expect(statusOf(await exchange(server.port, 'OPTIONS /health HTTP/1.0\r\n\r\n'))).toBeLessThan(500);
  });

  test.each(['PUT', 'TRACE', 'PROPFIND', 'PURGE', 'M-SEARCH'])('the method %s', async method => {
    const answer = await exchange(server.port, `${method} /api/v1/users/me HTTP/1.1\r\n${close}\r\n`);
    expect(statusOf(answer)).toBe(405);
  });

  test('the method CONNECT', async () => {
    const answer = await exchange(server.port, `CONNECT evil.example:443 HTTP/1.1\r\n${close}\r\n`);
    expect([0, 400, 404, 405]).toContain(statusOf(answer));
    expect(await isAlive()).toBe(true);
  });

  test('a connection that ends in the middle of a body', async () => {
    const socket = connect(server.port, '127.0.0.1');
    await new Promise(resolve =>
      socket.write(`POST /api/v1/check-version HTTP/1.1\r\n${close}${json}Content-Length: 100\r\n\r\n{`, resolve),
    );
    socket.destroy();
    expect(await isAlive()).toBe(true);
  });

  test('none of these requests logs an error', () => {
    expect(server.logged()).not.toMatch(/"level":"(error|fatal)"|"status":5\d\d/);
  });
});

describe('a response over a socket states the length of its body', () => {
  const lengthOf = (answer: string) => /^content-length: (\d+)\r$/im.exec(answer)?.[1];
  const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

  test('to GET: the number of bytes', async () => {
    const answer = await exchange(server.port, `GET /api/v1 HTTP/1.1\r\n${close}\r\n`);
    expect(lengthOf(answer)).toBe(String(Buffer.byteLength(bodyOf(answer))));
  });

  test('to a preflight request: zero', async () => {
    const answer = await exchange(server.port, `OPTIONS /api/v1/users/me HTTP/1.1\r\n${close}\r\n`);
    expect([statusOf(answer), lengthOf(answer), bodyOf(answer)]).toEqual([200, '0', '']);
  });

  test.each(['/api/v1', '/health', '/nowhere'])('to HEAD %s: none, and no body', async path => {
    const answer = await exchange(server.port, `HEAD ${path} HTTP/1.1\r\n${close}\r\n`);
    expect([lengthOf(answer), bodyOf(answer)]).toEqual([undefined, '']);
    expect(answer).not.toMatch(/^transfer-encoding/im);
  });
});

test('the values of a repeated header are joined, so that the last cannot differ from what is checked', async () => {
  const twice = 'x-stack-access-type: client\r\nx-stack-access-type: server\r\n';
  const types = 'Content-Type: application/json\r\nContent-Type: text/plain\r\n';
  const [access, type] = [
    await exchange(server.port, `GET /api/v1/users/me HTTP/1.1\r\n${close}${twice}\r\n`),
    await exchange(server.port, `POST /api/v1/check-version HTTP/1.1\r\n${close}${types}Content-Length: 2\r\n\r\n{}`),
  ];
  expect(access).toContain('INVALID_ACCESS_TYPE');
  expect(type).toContain('BODY_PARSING_ERROR');
});

test('a client that sends more than is read is answered and disconnected', async () => {
  const head = `POST /api/v1/check-version HTTP/1.1\r\nHost: localhost\r\n${json}Transfer-Encoding: chunked\r\n\r\n`;
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
  // 33 MB without the last chunk: the connection ends only when the server ends it.
  const answer = await exchange(server.port, head, ...Array<Uint8Array>(500).fill(chunk));
  expect(statusOf(answer)).toBe(413);
});

test.each([
  ['a response', `GET /api/v1 HTTP/1.1\r\n${close}\r\n`],
  ['the refusal of an address with a fragment', `GET /api/v1#x HTTP/1.1\r\n${close}\r\n`],
  ['the refusal of a Host header', 'GET /api/v1 HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
])('%s over a socket has exactly the headers of the contract', async (_, request) => {
  const answer = await exchange(server.port, request);
  const names = [...answer.slice(0, answer.indexOf('\r\n\r\n')).matchAll(/^([\w-]+):/gm)].map(match =>
    match[1]?.toLowerCase(),
  );
  expect(names.sort()).toEqual(
    [
      'access-control-allow-headers',
      'access-control-allow-methods',
      'access-control-allow-origin',
      'access-control-expose-headers',
      'access-control-max-age',
      'cache-control',
      'connection',
      'content-length',
      'content-security-policy',
      'content-type',
      'cross-origin-opener-policy',
      'date',
      'permissions-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
      'x-stack-request-id',
    ].sort(),
  );
});
