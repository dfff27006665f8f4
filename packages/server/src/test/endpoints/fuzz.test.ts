import { randomInt } from 'node:crypto';
import { endpoints, requestHeaders } from '@tessera/protocol';
import { readText } from '@tessera/testing/call';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../harness.ts';
import type { SignedUp } from '../make.ts';

let server: TestServer;
let ada: SignedUp;
beforeAll(async () => {
  process.stdout.write(`fuzz: TESSERA_FUZZ_SEED=${seed}\n`);
  // A faster hash: this test is not about hashing.
  const passwords = { hash: async () => 'hash', matches: async () => false, needsRehash: () => false };
  server = await openTestServer({ passwords });
  ada = await server.make.user();
});
afterAll(() => server.close());

/** Each run sends other requests. A failure is repeated with `TESSERA_FUZZ_SEED=… npm test -- server fuzz`. */
const seed = Number(process.env.TESSERA_FUZZ_SEED ?? randomInt(2 ** 31));
const settings = { seed, numRuns: 40 };

const fieldNames = [
  ...new Set(
    endpoints
      .flatMap(({ body }) => (body !== undefined && 'server' in body ? [body.client, body.server] : [body]))
      .flatMap(shapeKeys),
  ),
];

function shapeKeys(schema: unknown): string[] {
  return typeof schema === 'object' && schema !== null && 'shape' in schema ? Object.keys(schema.shape as object) : [];
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'me',
    'internal',
    '',
    '\0',
    'true',
    '1',
    '-1',
    '1e400',
    '00000000-0000-0000-0000-000000000000',
    'a@b.cd',
    'http://localhost/',
  ),
  fc.uuid(),
);
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 4 }), fc.double(), fc.constantFrom(null, [], {}));
const fields = fc.dictionary(fc.oneof(fc.constantFrom(...fieldNames, '__proto__', 'constructor'), fc.string()), value, {
  maxKeys: 6,
});
/** Not `String`: a random object may have a `toString` that is not a function. */
const toFormText = (of: unknown) => (typeof of === 'string' ? of : JSON.stringify(of));
const body = fc.oneof(
  fields.map(one => JSON.stringify(one)),
  fields.map(one =>
    String(new URLSearchParams(Object.entries(one).map(([key, of]): [string, string] => [key, toFormText(of)]))),
  ),
  fc.string({ unit: 'binary' }),
);
const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'text/plain',
      'application/octet-stream',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ),
  },
);
/** Header text: every character that the HTTP parser accepts. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0xff })
    .filter(code => code !== 0x7f)
    .map(code => String.fromCharCode(code)),
});
const headers = fc.dictionary(
  fc.constantFrom(...Object.values(requestHeaders), 'accept', 'user-agent', 'x-forwarded-for'),
  headerText,
  { maxKeys: 3 },
);
const query = fc.dictionary(
  fc.oneof(fc.constantFrom('limit', 'cursor', 'user_id', 'team_id', 'query', 'order_by', 'desc'), fc.string()),
  text,
  { maxKeys: 3 },
);

const keys: Record<string, string> = {
  client: 'x-stack-publishable-client-key',
  server: 'x-stack-secret-server-key',
  admin: 'x-stack-super-secret-admin-key',
};
const keyValues: Record<string, string> = {
  client: 'pck_test_internal',
  server: 'ssk_test_internal',
  admin: 'sak_test_internal',
};

/** Mostly callers with valid credentials, so that most requests reach the handlers. */
const caller = fc.record({
  level: fc.constantFrom('client', 'server', 'admin'),
  isSignedIn: fc.boolean(),
  odd: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
});

test.each(endpoints.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  'control 83: random requests to %s never cause a server error',
  async (_, { method, path }) => {
    const request = fc.record({
      params: fc.array(text, { minLength: 4, maxLength: 4 }),
      query,
      body,
      contentType,
      caller,
    });
    await fc.assert(
      fc.asyncProperty(request, async given => {
        let index = 0;
        const filled = path.replaceAll(
          /\{\w+\}/g,
          () => encodeURIComponent((given.params[index++] ?? '').toWellFormed()) || 'me',
        );
        const { level, isSignedIn, odd } = given.caller;
        const sent = new Headers({
          'x-stack-access-type': level,
          'x-stack-project-id': 'internal',
          [keys[level] ?? '']: keyValues[level] ?? '',
          ...(isSignedIn ? { 'x-stack-access-token': ada.accessToken } : {}),
          ...odd,
        });
        if (given.contentType !== '') sent.set('content-type', given.contentType);
        const init = method === 'GET' ? {} : { body: new TextEncoder().encode(given.body) };
        const url = `http://localhost:4280/api/v1${filled}?${new URLSearchParams(given.query)}`;
        const response = await server.app(new Request(url, { method, headers: sent, ...init }));
        const answer = await readText(response);
        expect(response.status, answer).toBeLessThan(500);
      }),
      settings,
    );
  },
);

test('control 81: the prototype of objects is unchanged after all requests', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
