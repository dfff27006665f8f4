import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
});
afterAll(() => server.close());

function decoded(token: string) {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  const signed = Buffer.from(`${header}.${payload}`);
  return { header: json(header), payload: json(payload), signed, signature: Buffer.from(signature, 'base64url') };
}

/** The published keys, as a third party reads them. */
async function publicKeys(): Promise<(JsonWebKey & { kid: string })[]> {
  const params = { project_id: project.id };
  const answer = await server.call('GET /projects/{project_id}/.well-known/jwks.json', { level: null, params });
  return (answer.json as { keys: (JsonWebKey & { kid: string })[] }).keys;
}

async function tokensOfEveryKind() {
  const { accessToken, refreshToken, email, password, userId } = await server.make.user({ project });
  const signIn = await server.call('POST /auth/password/sign-in', { project, body: { email, password } });
  const refresh = await server.call('POST /auth/sessions/current/refresh', { project, refreshToken });
  const grant = await server.call('POST /auth/oauth/token', {
    level: null,
    body: {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: project.id,
      client_secret: project.publishableClientKey,
    },
  });
  const tokenOf = (json: unknown) => (json as { access_token: string }).access_token;
  return { userId, tokens: [accessToken, tokenOf(signIn.json), tokenOf(refresh.json), tokenOf(grant.json)] };
}

test('control 29: every access token has exactly these claims and this header, and its published key verifies it', async () => {
  const { userId, tokens } = await tokensOfEveryKind();
  const keys = await publicKeys();
  const iat = Math.floor(server.clock.now() / 1000);
  for (const token of tokens) {
    const { header, payload, signed, signature } = decoded(token);
    expect(payload).toEqual({
      iss: `http://localhost:4280/api/v1/projects/${project.id}`,
      aud: project.id,
      sub: userId,
      iat,
      exp: iat + 600,
      branchId: 'main',
      refreshTokenId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      role: 'authenticated',
    });
    expect(header).toEqual({ alg: 'ES256', kid: expect.stringMatching(/^[\w-]{12}$/) });
    const jwk = keys.find(({ kid }) => kid === header.kid) ?? {};
    const key = { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', signed, key, signature)).toBe(true);
  }
});

test('an access token names its session', async () => {
  const { tokens } = await tokensOfEveryKind();
  const [signUp, signIn, refresh, grant] = tokens.map(token => decoded(token).payload.refreshTokenId);
  expect([refresh, grant]).toEqual([signUp, signUp]);
  expect(signIn).not.toBe(signUp);
});

test('control 30: each project signs with its own key', async () => {
  const mine = await server.make.user({ project });
  const theirs = await server.make.user({ project: await server.make.project() });
  expect(decoded(mine.accessToken).header.kid).not.toBe(decoded(theirs.accessToken).header.kid);
});
