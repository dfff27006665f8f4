import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSmtpSink, type SinkEmail, type SinkOptions, type SmtpSink } from '@tessera/testing/smtp-sink';
import { build } from 'tsdown';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { allTasks } from '../../../compose.ts';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type RunningJobs, startJobs } from '../../../platform/queue/jobs.ts';
import { openTestServer, type TestServer, testSecret } from '../../../test/harness.ts';

/** Emails of one project that a process sends at a time. */
const inFlightPerProject = 32;

/** The worker as plain JavaScript, because a process that is killed must run without vitest. */
let compiled: string;
let server: TestServer;
let sink: SmtpSink;
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

beforeEach(() => {
  worker = undefined;
  successor = undefined;
});

afterEach(async () => {
  worker?.kill('SIGKILL');
  await successor?.stop();
  await server.close();
  await sink.close();
});

async function open(options: SinkOptions): Promise<void> {
  sink = await openSmtpSink(options);
  server = await openTestServer({ environment: { TESSERA_SMTP_URL: sink.url } });
}

async function enqueueEmails(count: number): Promise<void> {
  await transaction(server.deps.db, async tx => {
    for (let index = 0; index < count; index++) {
      const variables = { magicLink: `http://localhost/?code=${index}`, otp: 'AB12CD' };
      const email = {
        projectId: 'internal',
        template: 'magic_link',
        recipient: `p${index}@example.com`,
        variables,
      } as const;
      await server.deps.mail.send(tx, email);
    }
  });
}

function startWorker(): ChildProcess {
  const environment = { TESSERA_MODE: 'development', TESSERA_SMTP_URL: sink.url };
  const start = JSON.stringify({ connection: server.connection, secret: testSecret, environment });
  worker = spawn(process.execPath, [join(compiled, 'worker-process.mjs'), start], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return worker;
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

function messageIds(): string[] {
  return sink.mails.map(({ headers }) => headers['message-id'] ?? '');
}

async function waitForEmptyQueue(): Promise<void> {
  await expect
    .poll(() => server.deps.db.query<{ count: number }>(sql`select count(*) as count from mails`), { timeout: 20_000 })
    .toEqual([{ count: 0 }]);
}

test('control 103: an email that was sent before the process was killed is sent again under the same id', async () => {
  let taken: (mail: SinkEmail) => void = () => undefined;
  const firstTaken = new Promise<SinkEmail>(resolve => {
    taken = resolve;
  });
  let deaths = 0;
  await open({
    // The mail server has the email; the sender never gets the response.
    beforeAccepted: async mail => {
      if (deaths++ > 0) return;
      await killWorker();
      taken(mail);
    },
  });
  await enqueueEmails(1);
  startWorker();
  await firstTaken;
  await runRemainingJobs();
  await waitForEmptyQueue();
  expect(sink.mails).toHaveLength(2);
  expect(new Set(messageIds()).size).toBe(1);
  expect(await server.deps.db.query(sql`select error from sent_mails`)).toEqual([{ error: null }]);
});

test('control 103: an email that was not sent before the kill is sent once', async () => {
  let asked: () => void = () => undefined;
  const firstAsked = new Promise<void>(resolve => {
    asked = resolve;
  });
  let isFirst = true;
  await open({
    refuse: () => {
      if (!isFirst) return undefined;
      isFirst = false;
      worker?.kill('SIGKILL');
      asked();
      return 'hang up';
    },
  });
  await enqueueEmails(1);
  startWorker();
  await firstAsked;
  await killWorkerIfAlive();
  await runRemainingJobs();
  await waitForEmptyQueue();
  expect(sink.mails).toHaveLength(1);
});

test('control 103: of many emails none is lost, and only those in flight at the kill are sent twice', async () => {
  const count = 60;
  let isKilled = false;
  let killed: () => void = () => undefined;
  const death = new Promise<void>(resolve => {
    killed = resolve;
  });
  await open({
    beforeAccepted: async () => {
      if (isKilled || sink.mails.length < count / 2) return;
      isKilled = true;
      await killWorker();
      killed();
    },
  });
  await enqueueEmails(count);
  startWorker();
  await death;
  await runRemainingJobs();
  await waitForEmptyQueue();
  expect(new Set(messageIds()).size).toBe(count);
  expect(sink.mails.length).toBeLessThanOrEqual(count + inFlightPerProject);
});

async function killWorkerIfAlive(): Promise<void> {
  if (worker?.exitCode === null && worker.signalCode === null) await killWorker();
}
