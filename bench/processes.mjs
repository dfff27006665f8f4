import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { embeddedConnection } from '@tessera/testing/data-folder';
import { startServerProcess } from '@tessera/testing/server-process';
import pg from 'pg';

const here = import.meta.dirname;
export const root = dirname(here);
export const poolSize = 10;

export const keys = {
  publishableClientKey: 'pck_bench_only',
  secretServerKey: 'ssk_bench_only',
  superSecretAdminKey: 'sak_bench_only',
};

/** What `tessera start` gives to Node and to the C library, see packages/cli/README.md. */
const startOptions = ['--max-semi-space-size=4', '--min-semi-space-size=4'];
const startEnvironment = { MALLOC_ARENA_MAX: '1' };

/** Opens `/metrics`. */
export const metricsToken = 'only for the bench';

/**
 * Tessera as in production: answers are not checked against their schemas.
 *
 * @param {{ main: string, dataDir: string, environment?: Record<string, string> }} options
 */
export async function startServer({ main, dataDir, environment = {} }) {
  const startedAt = performance.now();
  const server = await startServerProcess({
    main,
    dataDir,
    nodeOptions: startOptions,
    env: {
      ...startEnvironment,
      TESSERA_MODE: 'production',
      TESSERA_DATABASE_POOL: String(poolSize),
      TESSERA_RATE_LIMITS: 'off',
      TESSERA_DRAIN_GRACE: '0s',
      TESSERA_INTERNAL_SIGN_UP: 'on',
      TESSERA_METRICS_TOKEN: metricsToken,
      TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY: keys.publishableClientKey,
      TESSERA_INTERNAL_SECRET_SERVER_KEY: keys.secretServerKey,
      TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY: keys.superSecretAdminKey,
      ...environment,
    },
  });
  return { ...server, startMs: performance.now() - startedAt };
}

/** One of our own small processes; it reports when it is ready. */
export async function startOwn(file, env = {}) {
  const child = fork(join(here, file), { env: { PATH: process.env.PATH, ...env } });
  const [{ port }] = await once(child, 'message');
  return {
    port,
    async request(message) {
      child.send(message);
      const [answer] = await once(child, 'message');
      return answer;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Runs SQL of a measurement on the embedded database of a running server. */
export async function withDatabase(dataDir, work) {
  const client = new pg.Client(await embeddedConnection(dataDir));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
