import { proxyTo } from '@tessera/testing/proxied-connection';
import type { TcpProxy } from '@tessera/testing/tcp-proxy';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { DatabaseTimings } from '../database/connections/timings.ts';
import { transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { addJob } from './add-job.ts';
import { type RunningJobs, startJobs } from './jobs.ts';

const timings: Partial<DatabaseTimings> = {
  requestMs: 1_000,
  connectMs: 1_000,
  sweepMs: 20,
  probeEveryMs: 20,
  workCheckMs: 50,
  stalledMs: 1_500,
};

let server: TestServer;
let proxy: TcpProxy;
let jobs: RunningJobs;
let done: string[];
beforeEach(async () => {
  server = await openTestServer();
  const proxied = await proxyTo(server.connection);
  proxy = proxied.proxy;
  done = [];
  const note = async (payload: unknown) => {
    done.push((payload as { text: string }).text);
  };
  jobs = startJobs({ connection: proxied.connection, tasks: { note }, log: server.deps.log, timings });
  await add('before');
  await vi.waitFor(() => expect(done).toEqual(['before']), { timeout: 20_000 });
  // A worker that is completing its job when the network fails ends with an error instead of stalling.
  await vi.waitFor(async () => expect(await countJobs()).toBe(0), { timeout: 20_000 });
});
afterEach(async () => {
  await proxy.resume();
  await jobs.stop();
  await proxy.close();
  await server.close();
});

async function countJobs(): Promise<number> {
  const jobsLeft = await server.deps.db.query(sql`select id from graphile_worker.jobs`);
  return jobsLeft.length;
}

const add = (text: string) => transaction(server.deps.db, tx => addJob(tx, 'note', { text }));

describe('control 102: the job workers', () => {
  test('continue after a firewall has silently dropped all their connections', async () => {
    proxy.forget();
    await add('after');
    await vi.waitFor(() => expect(done).toContain('after'), { timeout: 20_000 });
  });

  test('without a completed poll of the queue log a line, and continue when the network is back', async () => {
    proxy.blackhole();
    await add('after');
    await vi.waitFor(() => expect(server.logged()).toContain('completed no poll of the queue'), { timeout: 20_000 });
    await proxy.resume();
    await vi.waitFor(() => expect(done).toContain('after'), { timeout: 28_000 });
  }, 60_000);
});
