import { endpoint, fail } from '@tessera/protocol';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { HashingBusy } from '../platform/crypto/passwords.ts';
import { DatabaseAway } from '../platform/database/database.ts';
import { ConversionsBusy } from '../platform/images.ts';
import { openTestServer, type TestServer } from '../test/harness.ts';
import { serveEndpoint } from '../test/serve-endpoint.ts';
import { ResponseOverride } from './bind.ts';
import { refuse, unreachable } from './refusal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const common = { method: 'GET', path: '/things', summary: 'Read things', tag: 'Service', errors: [] } as const;
const open = endpoint({ ...common, access: 'none', response: z.strictObject({ name: z.string() }) });
const low = z.strictObject({ name: z.string() });
const high = low.extend({ secret: z.string() });

describe('access levels', () => {
  const forServers = endpoint({ ...common, access: 'server', response: z.string() });
  const forAdmins = endpoint({ ...common, access: 'admin', response: z.string() });

  test('a call at a level that is too low is refused with the levels that are accepted', async () => {
    const refused = (actual: string, allowed: string[]) => ({
      status: 401,
      code: 'INSUFFICIENT_ACCESS_TYPE',
      details: { actual_access_type: actual, allowed_access_types: allowed },
    });
    const readAsServer = serveEndpoint(server, forServers, call => call.level);
    const readAsAdmin = serveEndpoint(server, forAdmins, call => call.level);
    expect(outcome(await readAsServer({ level: 'client' }))).toEqual(refused('client', ['server', 'admin']));
    expect(outcome(await readAsAdmin({ level: 'client' }))).toEqual(refused('client', ['admin']));
    expect(outcome(await readAsAdmin({ level: 'server' }))).toEqual(refused('server', ['admin']));
    expect(outcome(await readAsServer({ level: null }))).toEqual({ status: 400, code: 'ACCESS_TYPE_REQUIRED' });
  });

  test('a handler receives the level of the call', async () => {
    const read = serveEndpoint(server, forServers, call => call.level);
    expect([outcome(await read({ level: 'server' })), outcome(await read({ level: 'admin' }))]).toEqual([
      { status: 200, body: 'server' },
      { status: 200, body: 'admin' },
    ]);
  });

  test('a call uses the schemas of its level, or those of the next lower level that declares one', async () => {
    const perLevel = endpoint({
      ...common,
      method: 'POST',
      access: 'client',
      body: { client: low, server: high },
      response: { client: low, server: high },
    });
    const write = serveEndpoint(server, perLevel, call => call.body);
    const both = { name: 'a', secret: 's' };
    const statuses = await Promise.all([
      write({ level: 'client', body: { name: 'a' } }),
      write({ level: 'client', body: both }),
      write({ level: 'server', body: both }),
      write({ level: 'admin', body: both }),
      write({ level: 'admin', body: { name: 'a' } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 400, 200, 200, 400]);
  });
});

describe('an answer that its endpoint does not declare', () => {
  test.each<[string, object]>([
    ['an extra key', { name: 'a', password_hash: '$argon2id' }],
    ['a missing key', {}],
    ['another type', { name: 7 }],
    ['null in place of a text', { name: null }],
  ])('is a 500 in development, and is logged: %s', async (_, body) => {
    const answer = await serveEndpoint(server, open, () => body as { name: string })();
    expect([answer.status, answer.text]).toEqual([
      500,
      expect.stringContaining('GET /things answers what it does not declare'),
    ]);
    expect(server.logged()).toContain('answers what it does not declare');
  });

  test('is refused when it has a field of a higher level', async () => {
    const perLevel = endpoint({ ...common, access: 'client', response: { client: low, server: high } });
    const read = serveEndpoint(server, perLevel, () => ({ name: 'a', secret: 's' }));
    expect([(await read({ level: 'client' })).status, (await read({ level: 'server' })).status]).toEqual([500, 200]);
  });

  test('an answer that its endpoint declares passes the check', async () => {
    expect(outcome(await serveEndpoint(server, open, () => ({ name: 'a' }))())).toEqual({
      status: 200,
      body: { name: 'a' },
    });
  });
});

describe('an error thrown by a handler', () => {
  test.each<[string, () => never, object, string | null]>([
    ['a known error', () => fail('USER_NOT_FOUND'), { status: 404, code: 'USER_NOT_FOUND' }, null],
    ['a refusal', () => refuse(403, 'Not for you.'), { status: 403, says: 'a sentence' }, null],
    [
      'a refusal with headers',
      () => refuse(429, 'Later.', { headers: { 'retry-after': '7' } }),
      { status: 429, says: 'a sentence' },
      '7',
    ],
    ['a lost database connection', () => rethrow(new DatabaseAway('away')), { status: 503, says: 'a sentence' }, '2'],
    ['a full hash queue', () => rethrow(new HashingBusy('busy')), { status: 429, says: 'a sentence' }, '1'],
    ['a full queue of images', () => rethrow(new ConversionsBusy()), { status: 429, says: 'a sentence' }, '1'],
  ])('%s', async (_, act, expected, retryAfter) => {
    const answer = await serveEndpoint(server, open, act)();
    expect([outcome(answer), answer.headers.get('retry-after')]).toEqual([expected, retryAfter]);
  });

  test.each<[string, () => never]>([
    ['an error', () => rethrow(new TypeError('Cannot read properties of undefined (secret detail)'))],
    ['an unreachable state', () => unreachable('secret detail')],
    ['a thrown text', () => rethrow('secret detail')],
    ['a thrown undefined', () => rethrow(undefined)],
  ])('%s is a 500 with a request id in production, and the log has the details', async (_, act) => {
    const answer = await serveEndpoint(server, open, act, { isDevelopment: false })();
    const requestId = answer.headers.get('x-stack-request-id') ?? '';
    expect([answer.status, answer.text]).toEqual([500, `Something went wrong on our side. Request id: ${requestId}`]);
    expect(server.logged()).toContain(requestId);
  });

  test('a 500 contains the error in development, but no stack', async () => {
    const answer = await serveEndpoint(server, open, () => rethrow(new TypeError('this is why')))();
    expect([answer.status, answer.text]).toEqual([500, 'TypeError: this is why']);
  });

  test('a rejected promise gets the same answer as a thrown error', async () => {
    const answer = await serveEndpoint(server, open, async () => fail('USER_NOT_FOUND'))();
    expect(outcome(answer)).toEqual({ status: 404, code: 'USER_NOT_FOUND' });
  });
});

test('a handler can set the status and headers of its answer', async () => {
  const override = new ResponseOverride({ name: 'a' }, { status: 201, headers: { pragma: 'no-cache' } });
  const answer = await serveEndpoint(server, open, () => override)();
  expect([answer.status, answer.json, answer.headers.get('pragma')]).toEqual([201, { name: 'a' }, 'no-cache']);
});

function rethrow(error: unknown): never {
  throw error;
}
