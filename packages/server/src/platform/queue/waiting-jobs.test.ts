import { ask } from '@tessera/testing/call';
import { proxyTo } from '@tessera/testing/proxied-connection';
import { expect, onTestFinished, test } from 'vitest';
import { openTestServer, type TestServer, type TestServerOptions } from '../../test/harness.ts';
import { transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { addJob, addJobs } from './add-job.ts';

const environment = { TESSERA_METRICS_TOKEN: 'token of this test' };
const task = 'task of this test';

async function open(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await openTestServer({ ...options, environment });
  onTestFinished(() => server.close());
  return server;
}

/** The gauges of the queue, by name. */
async function gauges({ app }: TestServer): Promise<Record<string, number>> {
  const { status, text } = await ask(app, '/metrics', { headers: { authorization: 'Bearer token of this test' } });
  expect(status).toBe(200);
  const lines = text.matchAll(/^tessera_jobs_(\w+)\{task="task of this test"\} (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
}

test('/metrics has the number of due jobs that are not started, and the age of the oldest', async () => {
  const server = await open();
  const { db } = server.deps;
  await transaction(db, async tx => {
    await addJobs(tx, task, [{}, {}, {}]);
    await addJob(tx, task, {}, { delayMs: 3_600_000 });
  });
  await db.query(sql`
    update graphile_worker._private_jobs set run_at = now() - interval '10 minutes'
    where id = (select min(id) from graphile_worker._private_jobs where run_at <= now())
  `);
  const { waiting, oldest_seconds } = await gauges(server);
  expect(waiting).toBe(3);
  expect(oldest_seconds).toBeGreaterThanOrEqual(600);
});

test('/metrics has no waiting job for a type whose jobs are started, ended or failed, and counts the failed ones', async () => {
  const server = await open();
  const { db } = server.deps;
  await transaction(db, tx => addJobs(tx, task, [{}, {}, {}]));
  const jobs = await db.query<{ id: string }>(sql`select id from graphile_worker._private_jobs order by id`);
  const [started, failed, ended] = jobs.map(({ id }) => id);
  await db.query(
    sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'other' where id = ${started}`,
  );
  await db.query(sql`update graphile_worker._private_jobs set attempts = max_attempts where id = ${failed}`);
  await db.query(sql`delete from graphile_worker._private_jobs where id = ${ended}`);
  expect(await gauges(server)).toEqual({ waiting: 0, oldest_seconds: 0, failed: 1 });
});

test('/metrics is answered without the gauges of the queue while the database does not answer', async () => {
  const { connection, deps } = await open();
  const { proxy } = await proxyTo(connection);
  const beside = await open({ connection: { ...connection, host: '127.0.0.1', port: proxy.port } });
  onTestFinished(() => proxy.close());
  await transaction(deps.db, tx => addJobs(tx, task, [{}]));
  expect((await gauges(beside)).waiting).toBe(1);
  proxy.blackhole();
  expect(await gauges(beside)).toEqual({});
});
