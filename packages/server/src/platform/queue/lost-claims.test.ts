import { proxyTo } from '@tessera/testing/proxied-connection';
import type { TcpProxy } from '@tessera/testing/tcp-proxy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { addJob } from './add-job.ts';
import { type RunningJobs, startJobs } from './jobs.ts';

/** Workers count as stalled after 15 s: longer than the tests wait, so that no restart runs the job. */
const timings = { requestMs: 1_000, connectMs: 1_000, sweepMs: 20, probeEveryMs: 20, workCheckMs: 50 };
const lane = { names: ['note'], concurrency: 8, perFlag: 8 };

let server: TestServer;
let proxy: TcpProxy;
let jobs: RunningJobs;
let done: string[];
beforeEach(async () => {
  server = await openTestServer();
  done = [];
});
afterEach(async () => {
  await jobs.stop();
  await proxy.close();
  await server.close();
});

async function begin(lanes: (typeof lane)[]): Promise<void> {
  const proxied = await proxyTo(server.connection);
  proxy = proxied.proxy;
  const note = async (payload: unknown) => void done.push((payload as { text: string }).text);
  jobs = startJobs({ connection: proxied.connection, tasks: { note }, lanes, log: server.deps.log, timings });
  await transaction(server.deps.db, tx => addJob(tx, 'note', { text: 'first' }));
  await vi.waitFor(() => expect(done).toEqual(['first']), { timeout: 20_000 });
}

/** Adds a job with a lock under which no worker can claim, and calls `during` when a claim waits for the lock. */
async function addUnderLock(during: (waiting: number[]) => unknown): Promise<void> {
  await transaction(server.deps.db, async tx => {
    await tx.query(sql`lock table graphile_worker._private_jobs in exclusive mode`);
    await addJob(tx, 'note', { text: 'second' });
    await vi.waitFor(async () => expect(await waitingProcesses()).not.toEqual([]), { timeout: 20_000 });
    await during(await waitingProcesses());
  });
}

/** The processes of PostgreSQL that wait for the lock. */
async function waitingProcesses(): Promise<number[]> {
  const rows = await server.deps.db.query<{ pid: number }>(sql`
    select pid from pg_locks where not granted and relation = 'graphile_worker._private_jobs'::regclass
  `);
  return rows.map(({ pid }) => pid);
}

const untilDone = () => vi.waitFor(() => expect(done).toEqual(['first', 'second']), { timeout: 12_000 });

test.each([
  ['a lane', [lane]],
  ['the workers', []],
])(
  'a claim of %s ends on the server when the client gives it up',
  async (_, lanes) => {
    await begin(lanes);
    await addUnderLock(([first]) =>
      vi.waitFor(async () => expect(await waitingProcesses()).not.toContain(first), { timeout: 10_000 }),
    );
    await untilDone();
  },
  60_000,
);

test('a job is run when the answer to the claim of a lane is lost', async () => {
  await begin([lane]);
  await addUnderLock(() => proxy.forget());
  await untilDone();
}, 60_000);
