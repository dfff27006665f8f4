import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { embeddedConnection, removeDataFolder } from '@tessera/testing/data-folder';
import pg from 'pg';
import { ask, encodeRequest } from '../load.mjs';
import { poolSize, root, startOwn, startServer } from '../processes.mjs';
import { requestsOf, signUp } from '../world.mjs';
import { crowd, seed, seedVersion } from './seed.mjs';

const dataDir = join(root, '.cache/bench/million');
/** Says of which schema and which data the cached database is. */
const stamp = join(dataDir, 'seeded');
const secretServerKey = 'ssk_million_bench_only';
const superSecretAdminKey = 'sak_million_bench_only';

/**
 * The server on a database with a million users, which is kept for the next run; beside it the floor.
 *
 * @typedef {Awaited<ReturnType<typeof openMillion>>} Million
 */

/** @param {{ main: string }} options */
export async function openMillion({ main }) {
  const wanted = await fingerprint(main);
  const isSeeded = existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted;
  if (!isSeeded) await removeDataFolder(dataDir);
  await mkdir(dataDir, { recursive: true });

  const undo = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const server = await startServer({ main, dataDir });
    undo.push(server.stop);
    const database = await embeddedConnection(dataDir);
    if (!isSeeded) {
      const startedAt = performance.now();
      process.stderr.write(`seeding ${crowd.count} users …\n`);
      await seed(database, { secretServerKey, superSecretAdminKey });
      process.stderr.write(`seeded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
      await writeFile(stamp, wanted);
    }
    const client = new pg.Client(database);
    await client.connect();
    undo.push(() => client.end());
    const account = await signUp(server.port, `million-${Date.now()}`);
    const { keys: jwks } = await ask(server.port, { path: '/api/v1/projects/internal/.well-known/jwks.json' });
    const floor = await startOwn('floor.mjs', { BENCH_FLOOR: JSON.stringify({ database, poolSize, jwk: jwks[0] }) });
    undo.push(floor.stop);
    return { main, server, floor, client, dataDir, me: requestsOf(account).me, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A request of the app's own server, ready to be sent. */
export function encodeServerRequest({ method = 'GET', path, body }) {
  return encodeRequest(serverRequest({ method, path, body }));
}

/** A request of the project's owner, ready to be sent. */
export function encodeAdminRequest(path) {
  const headers = { 'x-stack-access-type': 'admin', 'x-stack-super-secret-admin-key': superSecretAdminKey };
  return encodeRequest({ path: `/api/v1${path}`, headers: { ...headers, 'x-stack-project-id': crowd.projectId } });
}

export function serverRequest({ method = 'GET', path, body }) {
  return {
    method,
    path: `/api/v1${path}`,
    headers: {
      accept: '*/*',
      'x-stack-access-type': 'server',
      'x-stack-project-id': crowd.projectId,
      'x-stack-secret-server-key': secretServerKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function fingerprint(main) {
  const folder = join(dirname(main), 'migrations');
  const hash = createHash('sha256').update(String(seedVersion));
  for (const name of (await readdir(folder)).sort()) hash.update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
