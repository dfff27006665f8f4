import { rateLimits } from '@tessera/protocol';
import type { Answered } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import type { TestServer } from '../../test/harness.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';
import {
  appCallback,
  aVerifier,
  newGithubUser,
  type OAuthScene,
  openGithubServer,
  openOAuthScene,
} from './oauth.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openOAuthScene(server);
});

const peerAddress = '203.0.113.7';
const otherAddress = '203.0.113.8';

/** Spends the limit of an address except for two points. */
async function leaveTwo(limit: 'oauthFlowsPerAddress' | 'unknownOAuthCodesPerAddress'): Promise<void> {
  const { points, windowMs } = rateLimits[limit];
  const key = `${limit}:${scene.project.id}:${peerAddress}`;
  const expire = Date.now() + windowMs;
  await server.deps.db.query(
    sql`insert into rate_limits (key, points, expire) values (${key}, ${points - 2}, ${expire})`,
  );
}

async function callThreeTimes(work: () => Promise<Answered>): Promise<Answered[]> {
  return [await work(), await work(), await work()];
}

const statuses = (answers: readonly Answered[]) => answers.map(({ status }) => status);

test('control 70: the authorize endpoint refuses an address block over its limit with 429, and no other block', async () => {
  const authorize = (from: string) =>
    server.call('GET /auth/oauth/authorize/{provider_id}', {
      level: null,
      params: { provider_id: 'github' },
      query: scene.authorizeQuery(),
      peerAddress: from,
    });
  await leaveTwo('oauthFlowsPerAddress');
  const answers = await callThreeTimes(() => authorize(peerAddress));
  expect(statuses(answers)).toEqual([307, 307, 429]);
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await authorize(otherAddress)).status).toBe(307);
  const flows = await server.deps.db.query(
    sql`select state_hash from oauth_flows where project_id = ${scene.project.id}`,
  );
  expect(flows).toHaveLength(3);
});

test('control 70: the token endpoint refuses unknown codes over the limit with 429, and still exchanges a valid code', async () => {
  const exchange = (code: string) =>
    server.call('POST /auth/oauth/token', {
      level: null,
      body: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: appCallback,
        code_verifier: aVerifier,
        client_id: scene.project.id,
      },
      peerAddress,
    });
  await leaveTwo('unknownOAuthCodesPerAddress');
  const answers = await callThreeTimes(() => exchange('an unknown code'));
  expect(statuses(answers)).toEqual([400, 400, 429]);
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await exchange(await scene.code(newGithubUser()))).status).toBe(200);
});

test('control 104: a link counts as a write of the user, once more for each 32 KB that a removal sends to webhooks', async () => {
  const { id, accessToken } = await scene.person();
  await scene.call('PATCH /users/me', { accessToken, body: { client_metadata: 'x'.repeat(100_000) } });
  await server.deps.db.query(sql`delete from rate_limits`);
  const key = `clientWritesPerUser:${scene.project.id}:${id}`;
  await scene.startFlow({ type: 'link', token: accessToken });
  expect(await server.deps.db.query(sql`select points from rate_limits where key = ${key}`)).toEqual([{ points: 4 }]);
  const { points } = rateLimits.clientWritesPerUser;
  await server.deps.db.query(sql`update rate_limits set points = ${points} where key = ${key}`);
  expect((await scene.authorize({ type: 'link', token: accessToken })).status).toBe(429);
  expect((await scene.authorize()).status).toBe(307);
});
