import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { RequestLike } from '../app/config/options.ts';
import { machine, serverApp } from '../test/apps.ts';
import { createSigner, type Signer } from '../test/signing.ts';
import { createStubServer, json, noConnection } from '../test/stub-server.ts';

const feedRoute = 'GET /api/v1/extensions/ended-sessions';
const streamRoute = 'GET /api/v1/extensions/ended-sessions/stream';

let signer: Signer;
beforeAll(async () => {
  signer = await createSigner('k1');
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 1) }));
afterEach(() => void vi.useRealTimers());

const nextTask = () => new Promise(resolve => setImmediate(resolve));

/** A stream that the test writes. A write ends when the feed has read it. */
function createStream() {
  const verify = vi.spyOn(crypto.subtle, 'verify');
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  const write = async (text: string) => {
    controller?.enqueue(new TextEncoder().encode(text));
    // The reader runs in other tasks, and checks signatures in another thread.
    await nextTask();
    await Promise.all(verify.mock.results.map(({ value }) => value));
    await nextTask();
  };
  return { response: () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }), write };
}

function open(routes: Parameters<typeof createStubServer>[0] = {}) {
  const server = createStubServer({
    [feedRoute]: async () => json({ feed: await signer.feed([]) }),
    [streamRoute]: () => new Response('away', { status: 404 }),
    ...routes,
  });
  const jwks = { keys: [signer.jwk] };
  return { server, app: serverApp(machine(server.fetch), { tokenStore: null, jwks, retryBudgetMs: 0 }) };
}

const bearer = async (): Promise<RequestLike> => ({ headers: { authorization: `Bearer ${await signer.token()}` } });
const feed = { revocation: 'feed' } as const;

test('an ended session is refused, and other sessions are not', async () => {
  const { app, server } = open();
  expect(await app.authenticate(await bearer(), feed)).toMatchObject({ status: 'signed-in' });
  server.routes[feedRoute] = async () => json({ feed: await signer.feed([signer.ids.session]) });
  vi.advanceTimersByTime(501);
  expect(await app.authenticate(await bearer(), feed)).toMatchObject({ reason: 'session-ended' });
});

test('calls within half a second share one request', async () => {
  const { app, server } = open();
  const request = await bearer();
  await Promise.all([app.authenticate(request, feed), app.authenticate(request, feed)]);
  vi.advanceTimersByTime(400);
  await app.authenticate(request, feed);
  expect(server.to(feedRoute)).toHaveLength(1);
});

test('a later request has the cursor and, for an unchanged list, the ETag', async () => {
  const { app, server } = open({
    [feedRoute]: async ({ headers }) =>
      headers.has('if-none-match')
        ? new Response(null, { status: 304 })
        : json({ feed: await signer.feed([], { cursor: '5:5:' }) }, { headers: { etag: '"e"' } }),
  });
  const request = await bearer();
  for (let call = 0; call < 3; call++) {
    expect(await app.authenticate(request, feed)).toMatchObject({ status: 'signed-in' });
    vi.advanceTimersByTime(501);
  }
  expect(server.to(feedRoute).map(({ path, headers }) => [path.split('?')[1], headers.get('if-none-match')])).toEqual([
    [undefined, null],
    ['after=5%3A5%3A', null],
    ['after=5%3A5%3A', '"e"'],
  ]);
});

test('a stream confirms the list and brings ended sessions without further requests', async () => {
  const stream = createStream();
  const { app, server } = open({ [streamRoute]: stream.response });
  const request = await bearer();
  await app.authenticate(request, feed);
  await stream.write(`data: ${JSON.stringify({ feed: await signer.feed([]) })}\n\n`);
  vi.advanceTimersByTime(60_000);
  await stream.write(':\n\n');
  expect(await app.authenticate(request, feed)).toMatchObject({ status: 'signed-in' });
  const event = `data: ${JSON.stringify({ feed: await signer.feed([signer.ids.session]) })}\n\n`;
  await stream.write(event.slice(0, 40));
  await stream.write(event.slice(40));
  expect(await app.authenticate(request, feed)).toMatchObject({ reason: 'session-ended' });
  expect(server.to(feedRoute)).toHaveLength(1);
});

test('a feed that the server cannot deliver is an error: the answer would be a guess', async () => {
  const { app } = open({ [feedRoute]: noConnection });
  await expect(app.authenticate(await bearer(), feed)).rejects.toMatchObject({ name: 'RequestError' });
});

test.each<[string, () => Promise<string>]>([
  ['is signed by another key', async () => (await createSigner('k1')).feed([])],
  ['belongs to another project', () => signer.feed([], { aud: 'p2' })],
  ['has another issuer', () => signer.feed([], { iss: 'https://auth.example/api/v1/projects/p2/ended-sessions' })],
  ['is an access token', () => signer.token()],
  ['has another type', () => signer.feed([], {}, 'JWT')],
])('a feed that %s is refused', async (_, make) => {
  const { app } = open({ [feedRoute]: async () => json({ feed: await make() }) });
  await expect(app.authenticate(await bearer(), feed)).rejects.toMatchObject({ reason: 'unexpected-answer' });
});
