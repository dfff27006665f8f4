import { outcome } from '@tessera/testing/outcome';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

const minute = 60_000;
const day = 24 * 60 * minute;

/** Times at which clocks behave unusually. */
const oddTimes: [string, number][] = [
  ['the hour that summer time leaves out', Date.UTC(2026, 2, 29, 0, 55)],
  ['the hour that winter time has twice', Date.UTC(2026, 9, 25, 0, 55)],
  ['where a leap second would be', Date.UTC(2026, 11, 31, 23, 59, 59)],
  ['a leap day', Date.UTC(2028, 1, 28, 23, 55)],
  ['a year that has none', Date.UTC(2100, 1, 28, 23, 55)],
  ['the end of 32-bit seconds', Date.UTC(2038, 0, 19, 3, 10)],
  ['the end of 32-bit seconds without sign', Date.UTC(2106, 1, 7, 6, 25)],
];

describe.each(oddTimes)('control 106: around %s', (_, startMillis) => {
  test('an access token lives ten minutes and a session 365 days, to the millisecond', async () => {
    server.clock.advance(startMillis - server.clock.now() - 5);
    // A separate key set: that of the installation is as old as the test.
    const project = await server.make.project();
    const user = await server.make.user({ project });
    const read = (accessToken: string) => server.call('GET /users/me', { project, accessToken });
    const refresh = () =>
      server.call('POST /auth/sessions/current/refresh', { project, refreshToken: user.refreshToken });
    const signedUpAtMillis = server.clock.now();
    const expired_at_millis = Math.floor(signedUpAtMillis / 1000) * 1000 + 10 * minute;

    server.clock.advance(expired_at_millis - server.clock.now() - 1);
    expect((await read(user.accessToken)).json).toMatchObject({ signed_up_at_millis: signedUpAtMillis });
    server.clock.advance(1);
    expect(outcome(await read(user.accessToken))).toEqual({
      status: 401,
      code: 'ACCESS_TOKEN_EXPIRED',
      details: { expired_at_millis },
    });

    server.clock.advance(signedUpAtMillis + 365 * day - 1 - server.clock.now());
    const { access_token } = z.object({ access_token: z.string() }).parse((await refresh()).json);
    expect((await read(access_token)).status).toBe(200);
    server.clock.advance(1);
    expect(outcome(await refresh())).toEqual({ status: 401, code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' });
  });
});

test('control 106: a clock that is set back does not keep an expired session valid for long', async () => {
  const user = await server.make.user();
  server.clock.advance(365 * day);
  const refresh = () => server.call('POST /auth/sessions/current/refresh', { refreshToken: user.refreshToken });
  expect((await refresh()).status).toBe(401);
  server.clock.advance(-minute);
  expect((await refresh()).status).toBe(200);
  server.clock.advance(minute);
  expect((await refresh()).status).toBe(401);
});
