import type { ProjectAccess } from '@tessera/testing/call';
import { anId } from '@tessera/testing/outcome';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';

let server: TestServer;
let beside: TestServer;
let project: ProjectAccess;
let ada: SignedUp;
beforeAll(async () => {
  server = await openTestServer();
  beside = await openTestServer({ beside: server });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});
beforeEach(async () => {
  project = await server.make.project();
  ada = await server.make.user({ project });
});

const minute = 60_000;
const lifetime = 10 * minute;
const cacheAge = 5 * minute;

const rotation = z.strictObject({ current_kid: z.string(), published_kids: z.array(z.string()) });

const ask = () => server.call('POST /internal/extensions/signing-keys/rotate', { project, level: 'admin' });
const rotate = async () => rotation.parse((await ask()).json);

async function published(): Promise<JSONWebKeySet> {
  const params = { project_id: project.id };
  const route = 'GET /projects/{project_id}/.well-known/jwks.json';
  return (await server.call(route, { level: null, params })).json as JSONWebKeySet;
}

const kids = async () => (await published()).keys.map(({ kid }) => kid);
const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

async function freshToken(): Promise<string> {
  const { refreshToken } = ada;
  const { json } = await server.call('POST /auth/sessions/current/refresh', { project, refreshToken });
  return z.object({ access_token: z.string() }).parse(json).access_token;
}

const isAccepted = async (accessToken: string, where = server) =>
  (await where.call('GET /users/me', { project, accessToken })).status === 200;

describe('control 31: rotating the signing keys', () => {
  test('signs with the key that was published as next, and still publishes the previous one', async () => {
    const before = await kids();
    const { current_kid, published_kids } = await rotate();
    expect(before).toEqual([kidOf(ada.accessToken), current_kid]);
    expect(kidOf(await freshToken())).toBe(current_kid);
    expect(await kids()).toEqual(published_kids);
    expect(published_kids).toHaveLength(3);
    expect(published_kids).toContain(kidOf(ada.accessToken));
  });

  test('keeps tokens of the previous key valid until they expire, here and with the published keys', async () => {
    const old = ada.accessToken;
    await rotate();
    server.clock.advance(lifetime - 1_000);
    expect(await isAccepted(old)).toBe(true);
    const keySet = createLocalJWKSet(await published());
    const currentDate = new Date(server.clock.now());
    await expect(jwtVerify(old, keySet, { currentDate, audience: project.id })).resolves.toBeDefined();
    await expect(jwtVerify(await freshToken(), keySet, { currentDate })).resolves.toBeDefined();
    server.clock.advance(1_000);
    expect(await isAccepted(old)).toBe(false);
  });

  test('issues tokens that a key set from before the rotation verifies', async () => {
    const cached = createLocalJWKSet(await published());
    await rotate();
    const currentDate = new Date(server.clock.now());
    await expect(jwtVerify(await freshToken(), cached, { currentDate })).resolves.toBeDefined();
  });

  test('is refused with 429 until tokens of the previous rotation have expired and caches have the next key', async () => {
    await rotate();
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String((lifetime + cacheAge) / 1000));
    server.clock.advance(lifetime + cacheAge - 1);
    expect((await ask()).headers.get('retry-after')).toBe('1');
    server.clock.advance(1);
    const [, next] = await kids();
    expect((await rotate()).current_kid).toBe(next);
  });

  test('succeeds once of ten concurrent requests', async () => {
    const before = await kids();
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(429)]);
    expect(kidOf(await freshToken())).toBe(before[1]);
  });

  test('reaches every process', async () => {
    expect(await isAccepted(ada.accessToken, beside)).toBe(true);
    const heard = new Promise<void>(resolve =>
      beside.deps.databaseNotifications.on('project', key => key === project.id && resolve()),
    );
    await rotate();
    await heard;
    expect(await isAccepted(await freshToken(), beside)).toBe(true);
    expect(await isAccepted(ada.accessToken, beside)).toBe(true);
  });

  test('affects one project and is in the audit log', async () => {
    const other = await server.make.project();
    const bob = await server.make.user({ project: other });
    await rotate();
    const { accessToken } = bob;
    expect((await server.call('GET /users/me', { project: other, accessToken })).status).toBe(200);
    const query = { action: 'signing_keys.rotated' };
    const { json } = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
    expect(json).toMatchObject({ items: [{ actor: { type: 'admin_key', id: anId }, details: { generation: 2 } }] });
  });
});
