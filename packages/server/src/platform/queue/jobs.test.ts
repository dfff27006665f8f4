import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runDueJobs } from '../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { createSecrets, type Secrets } from '../crypto/secrets.ts';
import { transaction } from '../database/database.ts';
import { migrate } from '../database/migration/migrate.ts';
import { sql } from '../database/sql.ts';
import { addJob, addJobs } from './add-job.ts';
import { type RunningJobs, startJobs } from './jobs.ts';
import { queueSchemaVersion } from './queue-schema.ts';
import { projectFlag, type Task } from './work.ts';

describe('the tables of the queue', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase({ isEmpty: true });
  });
  afterEach(() => database.drop());

  async function newest(): Promise<number> {
    const client = new pg.Client(database.connection);
    await client.connect();
    const { rows } = await client.query('select max(id) as newest from graphile_worker.migrations');
    await client.end();
    return rows[0].newest;
  }

  test('are created with ours, in the version that the start checks', async () => {
    await Promise.all([migrate(database.connection), migrate(database.connection)]);
    expect(await newest()).toBe(queueSchemaVersion);
  });

  test('are created in a database that already has ours', async () => {
    await migrate(database.connection);
    const client = new pg.Client(database.connection);
    await client.connect();
    await client.query('drop schema graphile_worker cascade');
    await client.end();
    expect(await migrate(database.connection)).toEqual({ applied: [] });
    expect(await newest()).toBe(queueSchemaVersion);
  });
});

describe('jobs', () => {
  let server: TestServer;
  let jobs: RunningJobs | undefined;
  beforeEach(async () => {
    server = await openTestServer();
    jobs = undefined;
  });
  afterEach(async () => {
    await jobs?.stop();
    await server.close();
  });

  function begin(task: Task): void {
    jobs = startJobs({ connection: server.connection, tasks: { note: task }, log: server.deps.log });
  }

  const add = (text: string) => transaction(server.deps.db, tx => addJob(tx, 'note', { text }));

  /** A task that records its payloads, and a function that waits for a number of them. */
  function notebook(): { task: Task; until(count: number): Promise<unknown[]> } {
    const notes: unknown[] = [];
    let wake: () => void = () => undefined;
    return {
      task: async payload => {
        notes.push(payload);
        wake();
      },
      until: async count => {
        while (notes.length < count) {
          await new Promise<void>(resolve => {
            wake = resolve;
          });
        }
        return notes;
      },
    };
  }

  test('run in their order, and only those of committed transactions', async () => {
    const { task, until } = notebook();
    begin(task);
    const failing = transaction(server.deps.db, async tx => {
      await addJob(tx, 'note', { text: 'never' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await add('one');
    await until(1);
    await add('two');
    expect(await until(2)).toEqual([{ text: 'one' }, { text: 'two' }]);
  });

  test('that run when the worker is stopped are completed first', async () => {
    let finish: () => void = () => undefined;
    let started: () => void = () => undefined;
    const isRunning = new Promise<void>(resolve => {
      started = resolve;
    });
    let isDone = false;
    begin(async () => {
      started();
      await new Promise<void>(resolve => {
        finish = resolve;
      });
      isDone = true;
    });
    await add('slow');
    await isRunning;
    const stopped = jobs?.stop();
    jobs = undefined;
    finish();
    await stopped;
    expect(isDone).toBe(true);
  });

  test('run again after the database has terminated the connections of the workers', async () => {
    const { task, until } = notebook();
    begin(task);
    await add('one');
    await until(1);
    await server.deps.db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'tessera jobs'
    `);
    await add('two');
    expect(await until(2)).toEqual([{ text: 'one' }, { text: 'two' }]);
  });

  test('of a live worker are not released to another one, however long they take', async () => {
    const { connection, deps } = server;
    let finish: () => void = () => undefined;
    let started: () => void = () => undefined;
    const isRunning = new Promise<void>(resolve => {
      started = resolve;
    });
    let runs = 0;
    const slow = async () => {
      runs += 1;
      started();
      await new Promise<void>(resolve => {
        finish = resolve;
      });
    };
    jobs = startJobs({ connection, tasks: { slow }, log: deps.log });
    await transaction(deps.db, tx => addJob(tx, 'slow', {}));
    await isRunning;
    await deps.db.query(sql`update graphile_worker._private_jobs set locked_at = locked_at - interval '1 hour'`);
    const { task, until } = notebook();
    const second = startJobs({ connection, tasks: { slow, note: task }, log: deps.log });
    // The second worker has checked for lost jobs before it runs a job of its own.
    await add('quick');
    await until(1);
    finish();
    await second.stop();
    expect(runs).toBe(1);
  });

  test('of a worker whose liveness connection breaks are not released, and its lock returns on a new one', async () => {
    const { connection, deps } = server;
    const signs = () =>
      deps.db.query<{ pid: number }>(sql`
        select pid from pg_locks
        where locktype = 'advisory' and classid = 7355609
          and database = (select oid from pg_database where datname = current_database())
      `);
    let finish: () => void = () => undefined;
    let started: () => void = () => undefined;
    const isRunning = new Promise<void>(resolve => {
      started = resolve;
    });
    let runs = 0;
    const slow = async () => {
      runs += 1;
      started();
      await new Promise<void>(resolve => {
        finish = resolve;
      });
    };
    const { task, until } = notebook();
    jobs = startJobs({ connection, tasks: { slow, note: task }, log: deps.log });
    await transaction(deps.db, tx => addJob(tx, 'slow', {}));
    await isRunning;
    await deps.db.query(sql`update graphile_worker._private_jobs set locked_at = locked_at - interval '1 hour'`);
    const [before] = await signs();
    await deps.db.query(sql`select pg_terminate_backend(${before?.pid})`);
    // Another worker that checks now finds the lock missing, and waits for it to return.
    const second = startJobs({ connection, tasks: { slow, other: task }, log: deps.log });
    await transaction(deps.db, tx => addJob(tx, 'other', {}));
    await until(1);
    await expect.poll(async () => (await signs()).length).toBe(2);
    expect((await signs()).map(({ pid }) => pid)).not.toContain(before?.pid);
    // The first worker runs jobs all the time.
    await add('quick');
    await until(2);
    finish();
    await second.stop();
    expect(runs).toBe(1);
  });

  test('that wait for remote servers do not delay other jobs', async () => {
    const { connection, deps } = server;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>(resolve => {
      finish = resolve;
    });
    const { task, until } = notebook();
    const tasks = { stranger: () => finished, note: task };
    jobs = startJobs({
      connection,
      tasks,
      lanes: [{ names: ['stranger'], concurrency: 8, perFlag: 8 }],
      log: deps.log,
    });
    await transaction(deps.db, async tx => {
      for (let count = 0; count < 50; count++) await addJob(tx, 'stranger', {});
    });
    await add('quick');
    expect(await until(1)).toEqual([{ text: 'quick' }]);
    finish();
  });

  test('of a lane with a flag without room stay in the queue until there is room', async () => {
    const { connection, deps } = server;
    const { task, until } = notebook();
    let limits = new Map([['red', 0]]);
    jobs = startJobs({
      connection,
      tasks: { note: task },
      lanes: [{ names: ['note'], concurrency: 8, perFlag: 4, limits: () => limits }],
      log: deps.log,
    });
    await transaction(deps.db, tx => addJob(tx, 'note', { text: 'red' }, { flags: ['red'] }));
    await transaction(deps.db, tx => addJob(tx, 'note', { text: 'blue' }, { flags: ['blue'] }));
    await until(1);
    limits = new Map();
    await add('plain');
    expect((await until(3)).slice(0, 1)).toEqual([{ text: 'blue' }]);
  });

  test('of a lane run many at once, and no more of one flag than its limit', async () => {
    const { connection, deps } = server;
    const running = { red: 0, blue: 0 };
    const most = { red: 0, blue: 0 };
    let ended = 0;
    let endAll: () => void = () => undefined;
    let end = Promise.resolve();
    const paint = async (payload: unknown) => {
      const { color } = payload as { color: 'red' | 'blue' };
      running[color]++;
      most[color] = Math.max(most[color], running[color]);
      await end;
      running[color]--;
      ended++;
    };
    const addPaint = (length: number) =>
      transaction(deps.db, async tx => {
        for (const color of ['red', 'blue']) {
          await addJobs(
            tx,
            'paint',
            Array.from({ length }, () => ({ color })),
            { flags: [color] },
          );
        }
      });
    const lanes = [{ names: ['paint'], concurrency: 8, perFlag: 5, limits: () => new Map([['blue', 2]]) }];
    jobs = startJobs({ connection, tasks: { paint }, lanes, log: deps.log });
    // Flags without an ended job would share half of the places.
    await addPaint(1);
    await vi.waitFor(() => expect(ended).toBe(2), { timeout: 20_000 });
    end = new Promise<void>(resolve => {
      endAll = resolve;
    });
    await addPaint(19);
    await vi.waitFor(() => expect(running).toEqual({ red: 5, blue: 2 }), { timeout: 20_000 });
    endAll();
    await vi.waitFor(() => expect(ended).toBe(40), { timeout: 20_000 });
    await vi.waitFor(async () => expect(await jobsLeft()).toEqual([]), { timeout: 20_000 });
    expect(most).toEqual({ red: 5, blue: 2 });
  });

  test('of a lane with no flag beside that of their project do not wait behind those of unknown flags', async () => {
    const { connection, deps } = server;
    const started: string[] = [];
    let endAll: () => void = () => undefined;
    const end = new Promise<void>(resolve => {
      endAll = resolve;
    });
    const visit = (payload: unknown) => {
      started.push((payload as { to: string }).to);
      return end;
    };
    await transaction(deps.db, async tx => {
      for (const index of [1, 2, 3]) {
        await addJob(tx, 'visit', { to: 'server' }, { flags: [projectFlag('shop'), `server ${index}`] });
      }
      for (const project of ['shop', 'blog']) {
        await addJob(tx, 'visit', { to: 'database' }, { flags: [projectFlag(project)], delayMs: 1 });
      }
    });
    const lanes = [{ names: ['visit'], concurrency: 4, perFlag: 4 }];
    jobs = startJobs({ connection, tasks: { visit }, lanes, log: deps.log });
    await vi.waitFor(() => expect(started).toEqual(['server', 'server', 'database', 'database']), { timeout: 20_000 });
    endAll();
    await vi.waitFor(() => expect(started).toHaveLength(5), { timeout: 20_000 });
  });

  test('of a project without a place in a lane get the next free one', async () => {
    const { connection, deps } = server;
    const ends: (() => void)[] = [];
    const started: string[] = [];
    const visit = (payload: unknown) => {
      started.push((payload as { project: string }).project);
      return isOver ? Promise.resolve() : new Promise<void>(resolve => ends.push(resolve));
    };
    let isOver = false;
    const add = (project: string, count: number) =>
      transaction(deps.db, async tx => {
        for (let index = 0; index < count; index++) {
          await addJob(tx, 'visit', { project }, { flags: [projectFlag(project), `${project} ${index}`] });
        }
      });
    const untilStarted = (count: number) => vi.waitFor(() => expect(started).toHaveLength(count), { timeout: 20_000 });
    for (const project of ['first', 'second']) await add(project, 10);
    // Four places for unknown flags.
    const lanes = [{ names: ['visit'], concurrency: 8, perFlag: 1, perProject: 2 }];
    jobs = startJobs({ connection, tasks: { visit }, lanes, log: deps.log });
    await untilStarted(4);
    await add('newcomer', 1);
    ends[0]?.();
    await untilStarted(5);
    expect(started.slice(0, 4).sort()).toEqual(['first', 'first', 'second', 'second']);
    expect(started[4]).toBe('newcomer');
    isOver = true;
    for (const end of ends) end();
  });

  test('of a flag without jobs in a lane do not wait behind all jobs of another flag that has room for some', async () => {
    const { connection, deps } = server;
    const started: string[] = [];
    let isOver = false;
    let endOldest = () => {};
    /** Ends when the next job starts, so each claim finds room for one job of the flag. */
    const paint = (payload: unknown) => {
      started.push((payload as { color: string }).color);
      endOldest();
      if (isOver) return Promise.resolve();
      return new Promise<void>(resolve => {
        endOldest = resolve;
      });
    };
    const reds = Array.from({ length: 200 }, () => ({ color: 'red' }));
    await transaction(deps.db, async tx => {
      await addJobs(tx, 'paint', reds, { flags: ['red'] });
      await addJob(tx, 'paint', { color: 'blue' }, { flags: ['blue'], delayMs: 1 });
    });
    const lanes = [{ names: ['paint'], concurrency: 8, perFlag: 2 }];
    jobs = startJobs({ connection, tasks: { paint }, lanes, log: deps.log });
    await vi.waitFor(() => expect(started).toContain('blue'), { timeout: 20_000 });
    isOver = true;
    endOldest();
    expect(started.indexOf('blue')).toBeLessThan(20);
  });

  test('of a lane that fail are retried after a pause and keep their error', async () => {
    const { connection, deps } = server;
    let attempts = 0;
    const fail = async () => {
      attempts++;
      throw new Error('no \0answer');
    };
    await transaction(deps.db, tx => addJob(tx, 'fail', {}));
    jobs = startJobs({
      connection,
      tasks: { fail },
      lanes: [{ names: ['fail'], concurrency: 8, perFlag: 8 }],
      log: deps.log,
    });
    const unlocked = { attempts: 1, last_error: 'no answer', locked_by: null, isLater: true };
    await vi.waitFor(async () => expect(await jobsLeft()).toEqual([unlocked]), { timeout: 20_000 });
    await deps.db.query(sql`update graphile_worker._private_jobs set run_at = now()`);
    await vi.waitFor(() => expect(attempts).toBe(2), { timeout: 20_000 });
  });

  test('of a lane that run when it is stopped are completed first, and the others stay in the queue', async () => {
    const { connection, deps } = server;
    let endAll: () => void = () => undefined;
    const end = new Promise<void>(resolve => {
      endAll = resolve;
    });
    let started = 0;
    const slow = async () => {
      started++;
      await end;
    };
    await transaction(deps.db, tx => addJobs(tx, 'slow', [{}, {}, {}]));
    const stopping = startJobs({
      connection,
      tasks: { slow },
      lanes: [{ names: ['slow'], concurrency: 2, perFlag: 2 }],
      log: deps.log,
    });
    await vi.waitFor(() => expect(started).toBe(2), { timeout: 20_000 });
    const stopped = stopping.stop();
    endAll();
    await stopped;
    expect(await jobsLeft()).toEqual([{ attempts: 0, last_error: null, locked_by: null, isLater: false }]);
  });

  function jobsLeft(): Promise<object[]> {
    return server.deps.db.query(sql`
      select attempts, last_error, locked_by, run_at > now() as "isLater" from graphile_worker._private_jobs
    `);
  }

  test('of a type that only a newer version knows stay in the queue unchanged', async () => {
    await transaction(server.deps.db, tx => addJob(tx, 'from_the_future', { text: 'new' }));
    await runDueJobs(server, { note: async () => {} });
    const left = await server.deps.db.query(sql`select attempts, locked_at from graphile_worker._private_jobs`);
    expect(left).toEqual([{ attempts: 0, locked_at: null }]);
  });

  test('that a newer version encrypted do not use up their attempts within a day', async () => {
    const newer = createSecrets('the secret that only the newer processes have');
    const encrypted = newer.encrypt('note', 'hello').toString('base64');
    await transaction(server.deps.db, tx => addJob(tx, 'note', { encrypted }));
    const opened: string[] = [];
    const open = (secrets: Secrets) => async (payload: unknown) => {
      const { encrypted } = payload as { encrypted: string };
      opened.push(secrets.decrypt('note', Buffer.from(encrypted, 'base64')).toString());
    };
    const run = (task: Task) => runDueJobs(server, { note: task });
    // The queue gives up a job after 25 attempts.
    for (const attempts of [23, 24]) {
      await server.deps.db.query(sql`update graphile_worker._private_jobs set attempts = ${attempts}, run_at = now()`);
      await run(open(server.deps.secrets));
    }
    const jobs = await server.deps.db.query(sql`
      update graphile_worker._private_jobs set run_at = now() returning attempts, locked_at
    `);
    await run(open(newer));
    expect(jobs).toEqual([{ attempts: 2, locked_at: null }]);
    expect(opened).toEqual(['hello']);
  });

  test('that fail stay in the queue for a retry', async () => {
    await add('bad');
    const task = async () => {
      throw new Error('not now');
    };
    await runDueJobs(server, { note: task });
    const left = await server.deps.db.query(sql`
      select attempts, last_error like '%not now%' as "says why", run_at > now() as later, locked_at from graphile_worker._private_jobs
    `);
    expect(left).toEqual([{ attempts: 1, 'says why': true, later: true, locked_at: null }]);
  });
});
