import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsdown';
import { allWork } from '../compose.ts';
import { sql } from '../platform/database/sql.ts';
import { type RunningJobs, startJobs } from '../platform/queue/jobs.ts';
import { type TestServer, testSecret } from './harness.ts';

/** Compiles `worker-process.ts`, because a process that is killed must run without vitest. @returns the folder */
async function compileWorker(): Promise<string> {
  const root = join(import.meta.dirname, '../..');
  const folder = await mkdtemp(join(tmpdir(), 'tessera-worker-'));
  await symlink(join(root, '../../node_modules'), join(folder, 'node_modules'), 'junction');
  await build({
    config: false,
    cwd: root,
    entry: [join(root, 'src/test/worker-process.ts')],
    outDir: folder,
    clean: false,
    dts: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    deps: { alwaysBundle: [/^@tessera\//] },
    inputOptions: { resolve: { conditionNames: ['source', 'import', 'node', 'default'] } },
  });
  return folder;
}

export type KilledWorker = Awaited<ReturnType<typeof openKilledWorker>>;

/** The job worker of a test server as a process that a test kills, and a second worker that continues its jobs. */
export async function openKilledWorker() {
  const folder = await compileWorker();
  let worker: ChildProcess | undefined;
  let successor: RunningJobs | undefined;

  /** `kill -9`. Resolves when the process has ended. */
  async function kill(): Promise<void> {
    if (worker?.exitCode !== null || worker.signalCode !== null) return;
    const ended = once(worker, 'exit');
    worker.kill('SIGKILL');
    await ended;
  }

  return {
    start(server: TestServer, environment: Record<string, string> = {}): void {
      const settings = { TESSERA_MODE: 'development', ...environment };
      const start = JSON.stringify({ connection: server.connection, secret: testSecret, environment: settings });
      worker = spawn(process.execPath, [join(folder, 'worker-process.mjs'), start], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
    },
    kill,
    /** Runs the jobs that wait, as another process would. The queue's locks are made older instead of waiting. */
    async runRemainingJobs(server: TestServer): Promise<void> {
      await server.deps.db.query(sql`
        update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute' where locked_at is not null
      `);
      successor = startJobs({ connection: server.connection, tasks: allWork(server.deps).tasks, log: server.deps.log });
    },
    /** Ends both workers. */
    async stop(): Promise<void> {
      await kill();
      await successor?.stop();
      worker = undefined;
      successor = undefined;
    },
    /** Deletes the compiled worker. */
    remove: () => rm(folder, { recursive: true }),
  };
}
