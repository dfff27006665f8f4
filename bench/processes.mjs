import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ask } from './load.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(here);
export const poolSize = 10;
const listeningTimeoutMs = 60_000;

export const keys = {
  publishableClientKey: 'pck_bench_only',
  secretServerKey: 'ssk_bench_only',
  superSecretAdminKey: 'sak_bench_only',
};

export async function makeDataFolder() {
  return mkdtemp(join(tmpdir(), 'tessera-bench-'));
}

/** Removes a data folder, and the cluster that root's data folders have elsewhere. */
export async function removeDataFolder(dataDir) {
  const { folder } = await clusterOf(dataDir);
  await rm(folder, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

/** What `tessera start` gives to Node, see packages/cli/README.md. */
const startOptions = ['--max-semi-space-size=4'];

/**
 * Tessera as in production: answers are not checked against their schemas.
 *
 * @param {{ main: string, dataDir: string, nodeOptions?: string[], environment?: Record<string, string> }} options
 */
export async function startServer({ main, dataDir, nodeOptions = [], environment = {} }) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...startOptions, ...nodeOptions, main], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      TESSERA_MODE: 'production',
      TESSERA_DATA_DIR: dataDir,
      TESSERA_DATABASE_POOL: String(poolSize),
      TESSERA_RATE_LIMITS: 'off',
      TESSERA_DRAIN_GRACE: '0s',
      TESSERA_INTERNAL_SIGN_UP: 'on',
      TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY: keys.publishableClientKey,
      TESSERA_INTERNAL_SECRET_SERVER_KEY: keys.secretServerKey,
      TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY: keys.superSecretAdminKey,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await listeningPort(child);
  await ask(port, { path: '/health' });
  return {
    port,
    startMs: performance.now() - startedAt,
    stop: () => stop(child, 'SIGTERM'),
    kill: () => stop(child, 'SIGKILL'),
  };
}

/** Reads the log to its end, or the server would wait for its reader. */
function listeningPort(child) {
  return new Promise((resolve, reject) => {
    const lines = [];
    const giveUp = () => {
      child.kill('SIGKILL');
      reject(new Error(`the server did not start:\n${lines.join('\n')}`));
    };
    const timer = setTimeout(giveUp, listeningTimeoutMs);
    child.once('exit', giveUp);
    createInterface({ input: child.stdout }).on('line', line => {
      lines.push(line);
      const entry = JSON.parse(line);
      if (entry.msg !== 'listening') return;
      clearTimeout(timer);
      child.off('exit', giveUp);
      resolve(entry.port);
    });
  });
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
    stop: () => stop(child, 'SIGTERM'),
  };
}

async function stop(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** How the running server's own database is reached, as its process file tells. */
export async function databaseOf(dataDir) {
  const { cluster } = await clusterOf(dataDir);
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  return { host: lines[4], port: Number(lines[3]), user: 'tessera', database: 'tessera' };
}

async function clusterOf(dataDir) {
  const folder = await readFile(join(dataDir, 'postgres.json'), 'utf8').then(
    text => JSON.parse(text).cluster,
    () => join(dataDir, 'postgres'),
  );
  return { folder, cluster: join(folder, 'data') };
}
