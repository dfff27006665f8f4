import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { internalKeys } from '@tessera/testing/call';
import { build } from 'tsdown';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { allTasks } from '../../../compose.ts';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type RunningJobs, startJobs } from '../../../platform/queue/jobs.ts';
import { openTestServer, type TestServer, testSecret } from '../../../test/harness.ts';
import { publishEvent } from '../events/index.ts';
import {
  openReceiver,
  portalTokenOf,
  type Received,
  type Receiver,
  type ReceiverAnswer,
  svixClient,
} from '../scene.fixtures.ts';

/** The worker as plain JavaScript, because a process that is killed must run without vitest. */
let compiled: string;
let server: TestServer;
let receiver: Receiver;
let worker: ChildProcess | undefined;
let successor: RunningJobs | undefined;

beforeAll(async () => {
  const root = join(import.meta.dirname, '../../../..');
  compiled = await mkdtemp(join(tmpdir(), 'tessera-worker-'));
  await symlink(join(root, '../../node_modules'), join(compiled, 'node_modules'), 'junction');
  await build({
    config: false,
    cwd: root,
    entry: [join(root, 'src/test/worker-process.ts')],
    outDir: compiled,
    clean: false,
    dts: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    deps: { alwaysBundle: [/^@tessera\//] },
    inputOptions: { resolve: { conditionNames: ['source', 'import', 'node', 'default'] } },
  });
});

afterAll(() => rm(compiled, { recursive: true }));

beforeEach(async () => {
  worker = undefined;
  successor = undefined;
  server = await openTestServer();
});

afterEach(async () => {
  worker?.kill('SIGKILL');
  await successor?.stop();
  await server.close();
  await receiver.close();
});

async function open(answer: (request: Received) => ReceiverAnswer | Promise<ReceiverAnswer>): Promise<void> {
  receiver = await openReceiver(answer);
  const svix = svixClient(server, await portalTokenOf(server, { id: 'internal', ...internalKeys }));
  await svix.endpoint.create('internal', { url: receiver.url });
}

async function publishMany(count: number): Promise<void> {
  await transaction(server.deps.db, async tx => {
    for (let index = 0; index < count; index++) {
      await publishEvent(tx, {
        projectId: 'internal',
        type: 'team.deleted',
        data: { id: String(index) },
        nowMillis: index,
      });
    }
  });
}

function startWorker(): void {
  const environment = { TESSERA_MODE: 'development' };
  const start = JSON.stringify({ connection: server.connection, secret: testSecret, environment });
  worker = spawn(process.execPath, [join(compiled, 'worker-process.mjs'), start], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function killWorker(): Promise<void> {
  const ended = worker === undefined ? undefined : once(worker, 'exit');
  worker?.kill('SIGKILL');
  await ended;
}

/** Runs the jobs that wait, as another process would. The queue's run_at is changed instead of waiting. */
async function runRemainingJobs(): Promise<void> {
  await server.deps.db.query(sql`
    update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute' where locked_at is not null
  `);
  successor = startJobs({ connection: server.connection, tasks: allTasks(server.deps), log: server.deps.log });
}

async function waitForDeliveries(count: number): Promise<void> {
  const told = sql`select count(*) as count from webhook_deliveries where status = 'success'`;
  await expect.poll(() => server.deps.db.query<{ count: number }>(told), { timeout: 30_000 }).toEqual([{ count }]);
}

function messageIds(): string[] {
  return receiver.received.map(({ headers }) => headers['svix-id'] ?? '');
}

test('control 103: a request that was sent before the process was killed is sent again under the same message id', async () => {
  let taken: () => void = () => undefined;
  const firstTaken = new Promise<void>(resolve => {
    taken = resolve;
  });
  let deaths = 0;
  await open(async () => {
    // The receiver has the request; the sender never gets the response.
    if (deaths++ === 0) {
      await killWorker();
      taken();
    }
    return { status: 200 };
  });
  await publishMany(1);
  startWorker();
  await firstTaken;
  await runRemainingJobs();
  await waitForDeliveries(1);
  expect(receiver.received).toHaveLength(2);
  expect(new Set(messageIds()).size).toBe(1);
  const attempts = await server.deps.db.query(sql`select is_success from webhook_attempts`);
  expect(attempts).toEqual([{ is_success: true }]);
});

test('control 103: of many events none is lost, and only those in flight at the kill are sent twice', async () => {
  const count = 60;
  let killed: () => void = () => undefined;
  const death = new Promise<void>(resolve => {
    killed = resolve;
  });
  let isKilled = false;
  await open(async () => {
    if (!isKilled && receiver.received.length >= count / 2) {
      isKilled = true;
      await killWorker();
      killed();
    }
    return { status: 200 };
  });
  await publishMany(count);
  startWorker();
  await death;
  await runRemainingJobs();
  await waitForDeliveries(count);
  const ids = messageIds();
  const sentTwice = ids.filter((id, index) => ids.indexOf(id) !== index);
  expect(new Set(ids).size).toBe(count);
  expect(new Set(sentTwice).size).toBe(sentTwice.length);
  // One for each event: an event whose attempt was recorded before the kill was not sent again.
  expect(await server.deps.db.query(sql`select 1 from webhook_attempts`)).toHaveLength(count);
});
