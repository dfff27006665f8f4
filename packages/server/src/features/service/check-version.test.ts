import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const check = (clientVersion: unknown, headers: Record<string, string> = {}) =>
  server.call('POST /check-version', { level: null, body: { clientVersion }, headers });
const upToDate = { status: 200, body: { upToDate: true } };

test.each([
  ['2.8.21', upToDate],
  ['2.8.20', { status: 200, body: { upToDate: false, error: expect.any(String), severe: false } }],
  ['2.7.0', { status: 200, body: { upToDate: false, error: expect.any(String), severe: true } }],
  ['nonsense', { status: 200, body: { upToDate: false, error: expect.any(String), severe: true } }],
])('version %s', async (clientVersion, answer) => {
  expect(outcome(await check(clientVersion))).toEqual(answer);
});

test('our own packages are always up to date', async () => {
  expect(outcome(await check('0.1.0', { 'x-stack-client-version': 'js @tessera/client@0.1.0' }))).toEqual(upToDate);
  expect(outcome(await check('0.1.0', { 'x-stack-client-version': 'js @stackframe/js@2.8.21' }))).toMatchObject({
    body: { upToDate: false, severe: true },
  });
});

test.each([undefined, null, ['2.8.21']])('the version %j does not fit the schema', async clientVersion => {
  expect(outcome(await check(clientVersion))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
});
