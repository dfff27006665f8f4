import { embeddedConnection, makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { ask, encodeRequest } from './load.mjs';
import { keys, poolSize, startOwn, startServer } from './processes.mjs';

export const password = 'correct horse battery staple';
const accountCount = 20;

/**
 * What is measured: the server on a fresh database with a few accounts, and what it is compared with.
 *
 * @typedef {Awaited<ReturnType<typeof openWorld>>} World
 * @typedef {{ email: string, userId: string, accessToken: string, refreshToken: string }} Account
 */

/** @param {{ main: string }} options */
export async function openWorld({ main }) {
  const dataDir = await makeDataFolder();
  const undo = [() => removeDataFolder(dataDir)];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  const register = process => {
    undo.push(process.stop);
    return process;
  };
  try {
    const server = register(await startServer({ main, dataDir }));
    const accounts = await signUpFrom(server.port, 0);
    // Many sign-ins end the oldest sessions of a user, so these accounts are measured only with sign-ins.
    const visitors = await signUpFrom(server.port, accountCount);
    const { keys: jwks } = await ask(server.port, { path: '/api/v1/projects/internal/.well-known/jwks.json' });
    const floorSettings = { database: await embeddedConnection(dataDir), poolSize, jwk: jwks[0] };
    const floor = register(await startOwn('floor.mjs', { BENCH_FLOOR: JSON.stringify(floorSettings) }));
    const hashing = register(await startOwn('hashing.mjs'));
    return { main, server, floor, hashing, accounts, visitors, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function signUpFrom(port, first) {
  return Promise.all(Array.from({ length: accountCount }, (_, index) => signUp(port, first + index)));
}

/** @param {number} port @param {number | string} name of the account, unique in the run */
export async function signUp(port, name) {
  const email = `user-${name}@example.com`;
  const body = { email, password, verification_callback_url: 'http://localhost:3000/verify' };
  const answer = await ask(port, jsonRequest('/api/v1/auth/password/sign-up', body));
  return {
    email,
    userId: answer.user_id,
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
  };
}

/** What the SDK sends with every request of a browser. */
const clientHeaders = {
  accept: '*/*',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'x-stack-access-type': 'client',
  'x-stack-project-id': 'internal',
  'x-stack-publishable-client-key': keys.publishableClientKey,
  'x-stack-override-error-status': 'true',
  'x-stack-random-nonce': '0123456789abcdef',
  'x-stack-client-version': 'js @tessera/client@0.1.0',
};

export function jsonRequest(path, body) {
  const headers = { ...clientHeaders, 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

/** The requests of one account, ready to be sent. */
export function requestsOf({ email, accessToken = '', refreshToken = '' }, signInPassword = password) {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: 'internal',
    client_secret: keys.publishableClientKey,
  });
  const { 'x-stack-override-error-status': _, ...plainHeaders } = clientHeaders;
  return {
    me: encodeRequest({ path: '/api/v1/users/me', headers: { ...plainHeaders, 'x-stack-access-token': accessToken } }),
    token: encodeRequest({
      method: 'POST',
      path: '/api/v1/auth/oauth/token',
      headers: { accept: '*/*', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    }),
    refresh: encodeRequest({
      method: 'POST',
      path: '/api/v1/auth/sessions/current/refresh',
      headers: { ...plainHeaders, 'x-stack-refresh-token': refreshToken },
    }),
    signIn: encodeRequest({
      ...jsonRequest('/api/v1/auth/password/sign-in', { email, password: signInPassword }),
      headers: { ...plainHeaders, 'content-type': 'application/json' },
    }),
  };
}
