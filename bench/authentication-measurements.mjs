import { verifyToken } from '@clerk/backend';
import { ServerApp } from '@tessera/client';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { ask } from './load.mjs';
import { keys } from './processes.mjs';
import { interleave } from './statistics.mjs';
import { signUp } from './world.mjs';

const tokenCount = 1_000;
const rounds = 5;
const secondsPerRound = 1;
const endedSessions = 10_000;
/** The most that a user may have. */
const sessionsPerUser = 100;

/** What is measured without a server: the key sets are local. */
export const authenticationMeasurements = { authenticate };

export async function openAuthentication() {
  return { close: async () => {} };
}

/** What is measured in the world. */
export const revocationMeasurements = { revocation };

/**
 * Requests authenticated per second on one core, beside `verifyToken` of @clerk/backend with a local key. Both get the
 * same claims; each the algorithm of its service: Clerk refuses ES256. "new" tokens are seen for the first time.
 */
async function authenticate() {
  const [own, clerk] = [await signer('ES256'), await signer('RS256')];
  const app = new ServerApp({
    projectId: 'p1',
    publishableClientKey: 'k',
    secretServerKey: 's',
    baseUrl: 'https://auth.example',
    tokenStore: null,
    jwks: { keys: [own.jwk] },
  });
  const ownRequests = (await own.tokens(tokenCount)).map(token => ({ headers: { authorization: `Bearer ${token}` } }));
  const clerkTokens = await clerk.tokens(tokenCount);
  const fresh = await own.tokens(rounds * secondsPerRound * 4_000);
  let next = 0;

  const results = await interleave(
    {
      'verifyToken of @clerk/backend': seconds =>
        perSecond(seconds, index => verifyToken(clerkTokens[index % tokenCount], { jwtKey: clerk.pem })),
      'authenticate, 1,000 sessions': seconds =>
        perSecond(seconds, async index => {
          const { status } = await app.authenticate(ownRequests[index % tokenCount]);
          if (status !== 'signed-in') throw new Error('the token was refused');
        }),
      'authenticate, new tokens': seconds =>
        perSecond(seconds, () =>
          app.authenticate({ headers: { authorization: `Bearer ${fresh[next++ % fresh.length]}` } }),
        ),
    },
    { rounds, seconds: secondsPerRound },
  );
  return Object.entries(results).map(([name, { rate, ratio }]) => ({
    what: `${name}, per second`,
    value: { rate, ratio },
    text: `${Math.round(rate).toLocaleString('en')} (${ratio.toFixed(1)} x)`,
    ...(name.includes('1,000') ? { budget: 'at least 3 x Clerk', isKept: ratio >= 3 } : { budget: '' }),
  }));
}

async function signer(alg) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const now = Math.floor(Date.now() / 1000);
  const sign = index =>
    new SignJWT({
      iss: 'https://auth.example/api/v1/projects/p1',
      aud: 'p1',
      sub: `user-${index}`,
      refreshTokenId: `session-${index}`,
      branchId: 'main',
      role: 'authenticated',
      iat: now,
      exp: now + 3_600,
    })
      .setProtectedHeader({ alg, kid: 'k1' })
      .sign(privateKey);
  return {
    jwk: { ...(await exportJWK(publicKey)), alg, kid: 'k1' },
    pem: await exportSPKI(publicKey),
    tokens: count => Promise.all(Array.from({ length: count }, (_, index) => sign(index))),
  };
}

async function perSecond(seconds, work) {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    await work(count);
    count++;
  }
  return { rate: count / ((performance.now() - startedAt) / 1000) };
}

/** The longest time from the answer to the request that ends a session to its refusal by an app that follows the feed. */
async function revocation({ server }) {
  const app = new ServerApp({
    projectId: 'internal',
    publishableClientKey: keys.publishableClientKey,
    secretServerKey: keys.secretServerKey,
    baseUrl: `http://127.0.0.1:${server.port}`,
    tokenStore: null,
  });
  const users = [];
  for (let index = 0; index < endedSessions / sessionsPerUser; index++) users.push(await openSessions(server, index));
  const open = users.flatMap(({ userId, tokens }) => tokens.map(token => ({ userId, token })));
  const isRefused = async ({ token }) => {
    const request = { headers: { authorization: `Bearer ${token}` } };
    return (await app.authenticate(request, { revocation: 'feed' })).status === 'signed-out';
  };
  for (const session of open) if (await isRefused(session)) throw new Error('a session was refused before its end');

  const endedAt = new Map();
  const ending = (async () => {
    for (const { userId } of users) {
      await ask(server.port, asServer('DELETE', `/api/v1/extensions/sessions/others?user_id=${userId}`));
      endedAt.set(userId, performance.now());
    }
  })();
  const waitsMs = [];
  let waiting = open;
  while (waiting.length > 0) {
    const still = [];
    for (const session of waiting) {
      const ended = endedAt.get(session.userId);
      if (!(await isRefused(session))) still.push(session);
      else waitsMs.push(ended === undefined ? 0 : performance.now() - ended);
    }
    waiting = still;
    await new Promise(resolve => setImmediate(resolve));
  }
  await ending;
  const longestMs = Math.max(...waitsMs);
  return [
    {
      what: `${endedSessions.toLocaleString('en')} ended sessions, longest time to refusal`,
      value: { longestMs },
      text: `${Math.round(longestMs)} ms`,
      budget: 'at most 1 s',
      isKept: longestMs <= 1_000,
    },
  ];
}

async function openSessions({ port }, index) {
  const { userId } = await signUp(port, 1_000 + index);
  const tokens = [];
  for (let count = 0; count < sessionsPerUser - 1; count++) {
    const answer = await ask(port, asServer('POST', '/api/v1/auth/sessions', { user_id: userId }));
    tokens.push(answer.access_token);
  }
  return { userId, tokens };
}

function asServer(method, path, body) {
  return {
    method,
    path,
    headers: {
      accept: '*/*',
      'x-stack-access-type': 'server',
      'x-stack-project-id': 'internal',
      'x-stack-secret-server-key': keys.secretServerKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
