import { type Endpoint, endpoint } from '@tessera/protocol';
import { type Answered, ask, readAnswer } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { bind } from '../bind.ts';
import { fromRequest, toResponse } from '../fetch-adapter.ts';
import { createPipeline, type Incoming } from '../pipeline.ts';
import type { Reply } from '../response/reply.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const echo = endpoint({
  method: 'POST',
  path: '/echo',
  access: 'none',
  body: z.unknown(),
  response: z.unknown(),
  summary: 'Answer what came',
  tag: 'Service',
  errors: [],
});

const largeEcho = endpoint({ ...echo, largeBody: true });

type Body = NonNullable<RequestInit['body']>;

/** Serves an endpoint that answers what the server reads from the body. */
function serveEcho(echoing: Endpoint = largeEcho): (incoming: Incoming) => Promise<Reply> {
  const { deps } = server;
  const pipeline = createPipeline({
    projects: deps.projects,
    accessTokens: deps.accessTokens,
    clock: deps.clock,
    findUser: async () => undefined,
    findMemberRole: async () => undefined,
    assertRecentOwner: async () => undefined,
    mayContinue: async () => true,
    log: deps.log,
    metrics: deps.metrics,
    isHttps: false,
    isDevelopment: true,
    trustedProxyHops: 0,
    onAnswered: () => undefined,
    onFailed: () => undefined,
    runOnce: (_, work) => work(),
  });
  return pipeline.serve(bind(echoing, call => describeBody(call.body)));
}

/** The value that the server reads from the body of a request. */
async function read(contentType: string | undefined, body: Body, method = 'POST'): Promise<Answered> {
  // Bytes, so that fetch adds no content type.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const headers = contentType === undefined ? undefined : { 'content-type': contentType };
  const request = new Request('http://localhost/api/v1/echo', {
    method,
    body: bytes,
    headers,
    duplex: 'half',
  } as RequestInit);
  return readAnswer(toResponse(await serveEcho()({ request: fromRequest(request), params: {}, query: {} })));
}

function describeBody(body: unknown): unknown {
  if (body === undefined) return 'none';
  return body instanceof Uint8Array ? { bytes: [...body] } : { value: body };
}

const malformed = { status: 400, code: 'BODY_PARSING_ERROR' };
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

describe('a body is parsed by its content type', () => {
  test.each<[string | undefined, Body, unknown]>([
    [undefined, '{"a":1}', 'none'],
    ['', '{"a":1}', 'none'],
    [json, '{"a":1}', { value: { a: 1 } }],
    ['application/json; charset=utf-8', '{"a":1}', { value: { a: 1 } }],
    ['application/json;charset=latin1', '{"a":"ü"}', { value: { a: 'ü' } }],
    ['APPLICATION/JSON ', ' {"a":1}\n', { value: { a: 1 } }],
    [json, 'null', { value: null }],
    [json, '"text"', { value: 'text' }],
    [json, '[1,2]', { value: [1, 2] }],
    [json, '{"a":1,"a":2}', { value: { a: 2 } }],
    [form, 'a=1&b=two+words%21', { value: { a: '1', b: 'two words!' } }],
    [form, 'a=1&a=2', { value: { a: '2' } }],
    [form, '', { value: {} }],
    [form, 'a&=b&c=', { value: { a: '', '': 'b', c: '' } }],
    [form, 'a[b]=1&a.c=2', { value: { 'a[b]': '1', 'a.c': '2' } }],
    [form, 'a=%EF%BF%BD', { value: { a: '\uFFFD' } }],
    ['text/plain', 'some text', { value: 'some text' }],
    ['text/plain;charset=UTF-8', '', { value: '' }],
    ['application/octet-stream', new Uint8Array([0, 255, 128]), { bytes: [0, 255, 128] }],
  ])('%j %j', async (contentType, body, expected) => {
    const answer = await read(contentType, body);
    expect([answer.status, answer.json]).toEqual([200, expected]);
  });

  test.each<[string, Body]>([
    [json, ''],
    [json, '   '],
    [json, '{'],
    [json, '{"a":1}x'],
    [json, "{'a':1}"],
    [json, '{"a":NaN}'],
    [json, '\u{feff}x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/xml', '<a/>'],
    ['application/problem+json', '{}'],
    ['text/html', 'x'],
    ['json', '{}'],
    ['application/json, application/json', '{}'],
  ])('%j %j is malformed', async (contentType, body) => {
    expect(outcome(await read(contentType, body))).toEqual(malformed);
  });

  test('an unsupported content type is named in the error', async () => {
    const answer = await read('application/xml; charset=utf-8', '<a/>');
    expect(answer.json).toMatchObject({ error: expect.stringContaining('application/xml') });
  });

  test.each(['GET', 'HEAD'])('the body of a %s is not looked at', async method => {
    const request = new Request('http://localhost/api/v1', { method, headers: { 'content-type': json } });
    expect((await server.app(request)).status).toBe(200);
  });
});

describe('control 82: a body with invalid text is refused', () => {
  const invalid: [string, Uint8Array][] = [
    ['an invalid first byte', Uint8Array.of(0xff)],
    ['an incomplete character', Uint8Array.of(0xc3)],
    ['an overlong slash', Uint8Array.of(0xc0, 0xaf)],
    ['an encoded lone surrogate', Uint8Array.of(0xed, 0xa0, 0x80)],
  ];
  const around = (before: string, bytes: Uint8Array, after: string) =>
    Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);

  test.each(invalid)('%s', async (_, bytes) => {
    const answers = await Promise.all([
      read(json, around('{"a":"', bytes, '"}')),
      read(form, around('a=', bytes, '')),
      read('text/plain', around('a', bytes, 'b')),
    ]);
    expect(answers.map(outcome)).toEqual([malformed, malformed, malformed]);
  });

  test.each<[string, string, string]>([
    ['a NUL in a value', json, '{"a":{"b":["x\\u0000y"]}}'],
    ['a NUL in a key', json, '{"a":{"b\\u0000":1}}'],
    ['a text of one NUL', json, '"\\u0000"'],
    ['a lone surrogate in a value', json, '{"a":"\\ud800"}'],
    ['a lone surrogate in a key', json, '{"\\udfff":1}'],
    ['a reversed surrogate pair', json, '["\\udc00\\ud800"]'],
    ['a NUL in the value of a form', form, 'a=%00'],
    ['a NUL in the name of a form', form, '%00=a'],
    ['bytes in a form that are not UTF-8', form, 'a=%FF'],
    ['such bytes beside a replacement character', form, 'a=%EF%BF%BD%FF'],
    ['a NUL in plain text', 'text/plain', 'a\0b'],
  ])('%s', async (_, contentType, body) => {
    expect(outcome(await read(contentType, body))).toEqual(malformed);
  });

  test('a complete surrogate pair is accepted as one character', async () => {
    expect((await read(json, '{"a":"\\ud83d\\ude00"}')).json).toEqual({ value: { a: '😀' } });
  });
});

describe('control 79: a body above a limit is refused', () => {
  const tooLarge = { status: 413, says: 'a sentence' };
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const wide = (keys: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, key) => [`k${key}`, 0])));

  test('when its declared length is above the size limit', async () => {
    expect((await read(json, `"${'x'.repeat(1_572_862)}"`)).status).toBe(200);
    expect(outcome(await read(json, `"${'x'.repeat(1_572_863)}"`))).toEqual(tooLarge);
  });

  test.each([json, form, 'text/plain', 'application/octet-stream'])(
    'when it is above the size limit without a declared length: %s',
    async type => {
      let sent = 0;
      const endless = new ReadableStream({
        pull(controller) {
          sent += 262_144;
          controller.enqueue(new Uint8Array(262_144).fill(97));
        },
      });
      expect(outcome(await read(type, endless))).toEqual(tooLarge);
      expect(sent).toBeLessThan(26_000_000);
    },
  );

  test('when it is longer than its declared length', async () => {
    const body = new TextEncoder().encode(`"${'x'.repeat(10_000_000)}"`);
    const request = new Request('http://localhost/api/v1/check-feature-support', {
      method: 'POST',
      headers: { 'content-type': json, 'content-length': '10' },
      body,
    });
    expect((await server.app(request)).status).toBe(413);
  });

  test('when it is nested too deeply', async () => {
    expect((await read(json, nested(32))).status).toBe(200);
    expect(outcome(await read(json, nested(33)))).toEqual(malformed);
    expect(outcome(await read(json, nested(700_000)))).toEqual(malformed);
    expect(outcome(await read(json, '{"a":'.repeat(200_000)))).toEqual(malformed);
    expect(outcome(await read(json, `["${'x'.repeat(20_000)}",${nested(32)}]`))).toEqual(malformed);
    const long = 'x'.repeat(20_000);
    expect((await read(json, `["${long}\\"${nested(40)}\\\\",1]`)).status).toBe(200);
    expect(outcome(await read(json, `["${long}\\\\",${nested(32)}]`))).toEqual(malformed);
    expect(outcome(await read(json, `["${long}${'\\\\'.repeat(20_000)}${nested(33)}`))).toEqual(malformed);
  });

  test('but not for brackets in a text', async () => {
    const text = '"\\[{'.repeat(5_000);
    expect((await read(json, JSON.stringify([text, [text]]))).status).toBe(200);
  });

  test('when a form has too many fields', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=`).join('&');
    expect((await read(form, fields(1_000))).status).toBe(200);
    expect(outcome(await read(form, fields(1_001)))).toEqual(malformed);
  });

  test('when an object has too many keys', async () => {
    expect((await read(json, wide(1_000))).status).toBe(200);
    expect(outcome(await read(json, wide(1_001)))).toEqual(malformed);
    expect(outcome(await read(json, `[{"a":${wide(1_001)}}]`))).toEqual(malformed);
    expect(outcome(await read(json, wide(100_000)))).toEqual(malformed);
  });

  test('when its objects, lists and keys are too many together', async () => {
    const objects = (count: number) => `[${Array(count).fill('{"a":0}').join()}]`;
    expect((await read(json, objects(49_999))).status).toBe(200);
    expect(outcome(await read(json, objects(50_000)))).toEqual(malformed);
    expect((await read(json, JSON.stringify(['{"a":[0]}'.repeat(100_000)]))).status).toBe(200);
  });

  test('when an endpoint without images, metadata and long texts gets more than 256 KB', async () => {
    const serve = serveEcho(echo);
    const post = async (length: number) => {
      const body = new TextEncoder().encode(`"${'x'.repeat(length - 2)}"`);
      const request = new Request('http://localhost/api/v1/echo', {
        method: 'POST',
        body,
        headers: { 'content-type': json },
      });
      return readAnswer(toResponse(await serve({ request: fromRequest(request), params: {}, query: {} })));
    };
    expect((await post(262_144)).status).toBe(200);
    expect(outcome(await post(262_145))).toEqual(tooLarge);
    const unknown = await ask(server.app, '/api/v1/nothing-here', {
      method: 'POST',
      headers: { 'content-type': json },
      body: JSON.stringify('x'.repeat(262_144)),
    });
    expect(outcome(unknown)).toEqual(tooLarge);
  });

  test('a long list is accepted', async () => {
    expect((await read(json, JSON.stringify(Array(100_000).fill(0)))).status).toBe(200);
  });
});

describe('control 80: large bodies are parsed one at a time', () => {
  /** Sends bodies that have arrived already. */
  function sendAll(peerAddress: string, sizes: readonly number[]): Promise<Reply>[] {
    const serve = serveEcho();
    return sizes.map(size => {
      const request = new Request('http://localhost/api/v1/echo', {
        method: 'POST',
        headers: { 'content-type': json },
      });
      const bytes = new TextEncoder().encode(`"${'x'.repeat(size - 2)}"`);
      return serve({
        request: { ...fromRequest(request), readBody: async () => bytes },
        params: {},
        query: {},
        peerAddress,
      });
    });
  }

  test('beyond the queue, those of the address with most of them are refused with 429, and no other request', async () => {
    const busy = sendAll('192.0.2.1', Array(60).fill(20_000));
    const other = sendAll('192.0.2.2', [20_000]);
    const small = sendAll('192.0.2.1', Array(60).fill(10_000));
    const [ofBusy, ofOther, ofSmall] = await Promise.all([busy, other, small].map(all => Promise.all(all)));
    const refused = ofBusy?.filter(({ status }) => status === 429) ?? [];
    expect(new Set(ofBusy?.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(refused.length).toBeGreaterThanOrEqual(60 - 32);
    expect(refused.every(({ headers }) => headers['retry-after'] === '1')).toBe(true);
    expect(new Set([...(ofOther ?? []), ...(ofSmall ?? [])].map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('a small body is parsed while large ones wait', async () => {
    const done: string[] = [];
    const large = sendAll('192.0.2.1', Array(10).fill(200_000));
    const small = sendAll('192.0.2.1', [100]);
    await Promise.all([
      Promise.all(large).then(() => done.push('the large ones')),
      Promise.all(small).then(() => done.push('the small one')),
    ]);
    expect(done).toEqual(['the small one', 'the large ones']);
  });
});

describe('control 77: only a JSON body can change data', () => {
  test.each(['text/plain', 'application/octet-stream', 'multipart/form-data', 'text/json'])(
    'a sign-in with a body of type %s is refused',
    async type => {
      const body = '{"email":"ada@example.com","password":"correct horse"}';
      const headers = {
        'content-type': type,
        'x-stack-access-type': 'client',
        'x-stack-project-id': 'internal',
        'x-stack-publishable-client-key': 'pck_test_internal',
      };
      const answer = await ask(server.app, '/api/v1/auth/password/sign-in', { method: 'POST', headers, body });
      expect(outcome(answer)).toMatchObject({
        status: 400,
        code: expect.stringMatching(/^(SCHEMA|BODY_PARSING)_ERROR$/),
      });
    },
  );

  test('a cookie does not authenticate a request', async () => {
    const ada = await server.make.user();
    const cookie = `stack-access=${encodeURIComponent(JSON.stringify([ada.refreshToken, ada.accessToken]))}; stack-refresh=${ada.refreshToken}`;
    const answer = await server.call('GET /users/me', { headers: { cookie } });
    expect(outcome(answer)).toEqual({ status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' });
  });

  test('an Authorization bearer token does not authenticate a request', async () => {
    const ada = await server.make.user();
    const headers = { authorization: `Bearer ${ada.accessToken}`, 'x-stack-auth': JSON.stringify(ada) };
    const answer = await server.call('GET /users/me', { headers });
    expect(outcome(answer)).toEqual({ status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' });
  });
});
