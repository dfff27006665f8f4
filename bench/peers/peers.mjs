import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { embeddedConnection, makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { encodeRequest } from '../load.mjs';
import { poolSize, root, startOwn, startServer, withDatabase } from '../processes.mjs';
import { jsonRequest, password, requestsOf, signUp } from '../world.mjs';

/** Installed on demand below `.cache`, so that a build of Tessera does not install it. */
const versions = { 'better-auth': '1.7.25', pg: '8.23.1' };
const folder = join(root, '.cache/bench/peers');
const accountCount = 20;

/**
 * Tessera and Better Auth on one PostgreSQL, each with a database of its own and the same number of connections.
 *
 * @typedef {Awaited<ReturnType<typeof openPeers>>} Peers
 */

/** @param {{ main: string }} options */
export async function openPeers({ main }) {
  await installPeer();
  const dataDir = await makeDataFolder();
  const server = await startServer({ main, dataDir });
  await withDatabase(dataDir, client => client.query('create database peer'));
  const database = { ...(await embeddedConnection(dataDir)), database: 'peer' };
  const peer = await startOwn('peers/server.mjs', { BENCH_PEER: JSON.stringify({ database, poolSize, folder }) });
  const indexes = Array.from({ length: accountCount }, (_, index) => index);
  const accounts = await Promise.all(indexes.map(index => signUp(server.port, index)));
  const cookies = await Promise.all(indexes.map(index => signUpAtPeer(peer.port, `user-${index}@example.com`)));
  const ownRequests = accounts.map(account => requestsOf(account));
  return {
    tessera: {
      port: server.port,
      session: ownRequests.map(({ me }) => me),
      signIn: ownRequests.map(({ signIn }) => signIn),
      signUpOf: email =>
        encodeRequest(
          jsonRequest('/api/v1/auth/password/sign-up', {
            email,
            password,
            verification_callback_url: 'http://localhost:3000/verify',
          }),
        ),
    },
    betterAuth: {
      port: peer.port,
      session: cookies.map(cookie => encodeRequest({ path: '/api/auth/get-session', headers: { cookie } })),
      signIn: indexes.map(index =>
        peerRequest('/api/auth/sign-in/email', { email: `user-${index}@example.com`, password }),
      ),
      signUpOf: email => peerRequest('/api/auth/sign-up/email', { email, password, name: 'Ada' }),
    },
    close: async () => {
      await peer.stop();
      await server.stop();
      await removeDataFolder(dataDir);
    },
  };
}

async function installPeer() {
  const wanted = `${JSON.stringify({ private: true, dependencies: versions }, null, 2)}\n`;
  const file = join(folder, 'package.json');
  if (existsSync(join(folder, 'node_modules')) && (await readFile(file, 'utf8')) === wanted) return;
  await mkdir(folder, { recursive: true });
  await writeFile(file, wanted);
  process.stderr.write('installing Better Auth below .cache/bench/peers …\n');
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

/** @returns the cookie of the session */
async function signUpAtPeer(port, email) {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://localhost' },
    body: JSON.stringify({ email, password, name: 'Ada' }),
  });
  if (!response.ok) throw new Error(`Better Auth answered ${response.status} to a sign-up`);
  return response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ');
}

function peerRequest(path, body) {
  const headers = { 'content-type': 'application/json', origin: 'http://localhost' };
  return encodeRequest({ method: 'POST', path, headers, body: JSON.stringify(body) });
}
