import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { exchange } from '@tessera/testing/exchange';
import { describe, expect, test, vi } from 'vitest';
import { createLog } from '../../platform/observability/log.ts';
import type { Reply } from '../response/reply.ts';
import type { Handler } from '../router.ts';
import { clientTimeouts, listen } from './listen.ts';

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

async function start(handle: Handler) {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: line => void lines.push(line) } });
  const listener = await listen(handle, {
    host: '127.0.0.1',
    port: 0,
    timeouts: clientTimeouts,
    trustedProxyHops: 0,
    rateLimits: 'on',
    log,
  });
  return { ...listener, lines };
}

async function respondWith(reply: () => Promise<Reply>) {
  const { port, drain, lines } = await start(reply);
  const answers = [await exchange(port, request), await exchange(port, request)];
  await drain(0);
  return { answers, logged: lines.join('') };
}

test.each<[string, () => Promise<Reply>]>([
  ['a header that cannot be sent', async () => ({ status: 200, headers: { location: 'a\nb' }, body: 'x' })],
  ['an error of the handler', () => Promise.reject(new Error('a defect'))],
])('%s becomes a 500 with a log line, and the server keeps running', async (_, reply) => {
  const { answers, logged } = await respondWith(reply);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 500 /);
  expect(logged).toContain('a response could not be sent');
});

test('an error in a generated body ends the connection before the end of the body', async () => {
  const { answers } = await respondWith(async () => {
    const body = new ReadableStream<Uint8Array>({
      start: controller => controller.enqueue(new TextEncoder().encode('first')),
      pull: controller => controller.error(new Error('a defect')),
    });
    return { status: 200, headers: {}, body };
  });
  for (const answer of answers) expect(answer).not.toContain('\r\n0\r\n');
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const ok = (body: string): Reply => ({ status: 200, headers: {}, body });

/** A handler whose request `/slow` runs until `finish` is called. */
function slowHandler() {
  const served: string[] = [];
  let finish = (): void => undefined;
  const isFinished = new Promise<void>(resolve => {
    finish = resolve;
  });
  const handle: Handler = async ({ url }) => {
    const { pathname } = new URL(url);
    served.push(pathname);
    if (pathname === '/slow') await isFinished;
    return ok(`${pathname};`);
  };
  return { handle, served, finish };
}

test.each<[string, (socket: Socket) => unknown]>([
  ['ends', socket => socket.end()],
  ['resets', socket => socket.resetAndDestroy()],
])('control 102: a handler notices that its client %s the connection', async (_, leave) => {
  const hasLeft: boolean[] = [];
  let begin = (): void => undefined;
  const hasBegun = new Promise<void>(resolve => {
    begin = resolve;
  });
  const { port, drain } = await start(async request => {
    hasLeft.push(request.hasLeft());
    begin();
    while (!request.hasLeft()) await setImmediate();
    return ok('too late');
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(get('/'));
  await hasBegun;
  leave(socket);
  await once(socket, 'close');
  await drain(0);
  expect(hasLeft).toEqual([false]);
});

test('control 80: the large bodies of many connections are read in small parts, with other requests between them', async () => {
  const connections = 20;
  const bytes = 1_000_000;
  const { port, drain } = await start(async request => {
    await request.readBody({ maxBytes: 2 * bytes, discardMaxBytes: 2 * bytes });
    return ok('read');
  });
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`;
  const answers = Array.from({ length: connections }, () => exchange(port, head, Buffer.alloc(bytes)));
  const counted = countTurns(Promise.all(answers));
  expect((await Promise.all(answers)).every(answer => answer.endsWith('read'))).toBe(true);
  await drain(0);
  // Four bodies in a turn, each with two chunks of 64 KB: one that is read, and one that has arrived already.
  expect(await counted).toBeGreaterThan((connections * bytes) / (8 * 65_536));
});

test('control 80: four large answers are handed over in a turn of the event loop, with other requests between them', async () => {
  let turn = 0;
  const handedOver = new Map<number, number>();
  const body = 'x'.repeat(100_000);
  let begun = 0;
  let finish = (): void => undefined;
  const haveAllBegun = new Promise<void>(resolve => {
    finish = resolve;
  });
  const { port, drain } = await start(async () => {
    begun++;
    if (begun === 100) finish();
    await haveAllBegun;
    return {
      status: 200,
      body,
      // Read when the answer is written.
      get headers() {
        handedOver.set(turn, (handedOver.get(turn) ?? 0) + 1);
        return {};
      },
    };
  });
  let isAnswered = false;
  const answers = Promise.all(Array.from({ length: 100 }, () => exchange(port, request)));
  void answers.then(() => {
    isAnswered = true;
  });
  for (; !isAnswered; turn++) await setImmediate();
  expect((await answers).every(answer => answer.endsWith('x'))).toBe(true);
  await drain(0);
  expect(Math.max(...handedOver.values())).toBeLessThanOrEqual(4);
});

/** The turns of the event loop until some work has ended. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let hasEnded = false;
  void work.then(() => {
    hasEnded = true;
  });
  let turns = 0;
  for (; !hasEnded; turns++) await setImmediate();
  return turns;
}

describe('pipelined requests of a connection', () => {
  test('control 80: run in turns of their own, so that those of other connections come between them', async () => {
    let turn = 0;
    const turns = new Set<number>();
    const { port, drain } = await start(async () => {
      turns.add(turn);
      return ok('');
    });
    let isAnswered = false;
    const answer = exchange(port, get('/').repeat(49) + request).then(() => {
      isAnswered = true;
    });
    for (; !isAnswered; turn++) await setImmediate();
    await answer;
    await drain(0);
    expect(turns.size).toBe(50);
  });

  test('control 79: run one after the other, and are answered in their order', async () => {
    let running = 0;
    let mostRunning = 0;
    const { port, drain } = await start(async ({ url }) => {
      mostRunning = Math.max(mostRunning, ++running);
      await setImmediate();
      running--;
      return ok(`${new URL(url).pathname};`);
    });
    const paths = Array.from({ length: 90 }, (_, index) => `/${index}`);
    const answer = await exchange(port, paths.map(get).join('') + request);
    await drain(0);
    expect([answer.match(/^\/\d*;/gm), mostRunning]).toEqual([[...paths, '/'].map(path => `${path};`), 1]);
  });

  test('control 79: the connection is closed when more than a hundred wait', async () => {
    const { handle, served, finish } = slowHandler();
    const { port, drain } = await start(handle);
    expect(await exchange(port, get('/slow').repeat(102))).toBe('');
    expect(served).toEqual(['/slow']);
    finish();
    await drain(0);
  });

  test('control 101: one that runs when the server stops is answered', async () => {
    const { handle, served, finish } = slowHandler();
    const { port, drain } = await start(handle);
    const answer = exchange(port, get('/first') + get('/slow'));
    await vi.waitFor(() => expect(served).toEqual(['/first', '/slow']));
    const idle = exchange(port, get('/idle'));
    await vi.waitFor(() => expect(served).toHaveLength(3));
    const stopped = drain(0);
    // The server has ended its idle connections.
    expect(await idle).toMatch(/idle;$/);
    finish();
    expect(await answer).toMatch(/first;.*slow;$/s);
    await stopped;
  });
});

test('control 101: a stop waits for a request whose client has gone', async () => {
  const { handle, served, finish } = slowHandler();
  const { port, drain } = await start(handle);
  const socket = connect(port, '127.0.0.1');
  socket.write(get('/slow'));
  await vi.waitFor(() => expect(served).toEqual(['/slow']));
  socket.destroy();
  await once(socket, 'close');
  const ends: string[] = [];
  const stopped = drain(0).then(() => ends.push('stop'));
  await vi.waitFor(async () => expect(await exchange(port, get('/'))).toBe(''));
  ends.push('request');
  finish();
  await stopped;
  expect(ends).toEqual(['request', 'stop']);
});

test('control 79: a header after thousands of short ones is read', async () => {
  const { port, drain } = await start(async ({ headers }) => ok(headers.get('x-forwarded-for') ?? 'none'));
  const many = 'a:\r\n'.repeat(5_000);
  const answer = await exchange(
    port,
    `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${many}X-Forwarded-For: 192.0.2.1\r\n\r\n`,
  );
  await drain(0);
  expect(answer).toMatch(/192\.0\.2\.1$/);
});
