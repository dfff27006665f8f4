import { asAdministrator, createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { proxyTo } from '@tessera/testing/proxied-connection';
import type { TcpProxy } from '@tessera/testing/tcp-proxy';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { type Database, DatabaseAway, openDatabase, transaction } from '../database.ts';
import { sql } from '../sql.ts';
import type { DatabaseTimings } from './timings.ts';

/** In these tests the time limit of a request is a second, and that of a job a minute. */
const timings: Partial<DatabaseTimings> = { requestMs: 1_000, connectMs: 1_000, sweepMs: 10, probeEveryMs: 10 };

let database: TestDatabase;
let proxy: TcpProxy;
let db: Database;
let failures: Error[];

beforeAll(async () => {
  database = await createTestDatabase({ isEmpty: true });
});
afterAll(() => database.drop());
beforeEach(async () => {
  ({ proxy } = await proxyTo(database.connection));
  failures = [];
  db = open(timings);
  await vi.waitFor(() => db.query(sql`select 1`), { timeout: 20_000 });
});
afterEach(async () => {
  await proxy.close();
  await db.close();
});

function open(limits: Partial<DatabaseTimings>): Database {
  return openDatabase({
    connection: throughProxy(),
    poolSize: 2,
    timings: limits,
    onAway: error => failures.push(error),
  });
}

function throughProxy(): pg.ClientConfig {
  return { ...database.connection, host: '127.0.0.1', port: proxy.port };
}

const ask = () => db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
const refused = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(DatabaseAway);

describe('control 102: when the network drops every packet', () => {
  test('a statement, a transaction and an asynchronous commit end with DatabaseAway', async () => {
    proxy.blackhole();
    const write = transaction(db, tx => tx.query(sql`select 1`));
    await Promise.all([refused(ask()), refused(write), refused(db.asyncCommit.query(sql`select 1`))]);
  });

  test('the reported cause is the missing response', async () => {
    proxy.blackhole();
    await refused(ask());
    expect(failures.at(-1)?.cause).toMatchObject({
      message: 'PostgreSQL did not respond within 1 s',
      code: 'ETIMEDOUT',
    });
  });

  test('a statement inside a running transaction ends with DatabaseAway', async () => {
    const work = transaction(db, async tx => {
      await tx.query(sql`select 1`);
      proxy.blackhole();
      await tx.query(sql`select 2`);
    });
    await refused(work);
  });

  test('a statement that waits for a connection has one time limit in total', async () => {
    proxy.blackhole();
    // One after the other, 200 statements on two connections would need 100 s, more than a test may take.
    await Promise.all(Array.from({ length: 200 }, () => refused(ask())));
  });

  test('the connection is destroyed, not returned to the pool', async () => {
    proxy.blackhole();
    await refused(ask());
    await vi.waitFor(() => expect(proxy.connections()).toBeLessThanOrEqual(1), { timeout: 20_000 });
  });

  test('statements are refused at once after the first timeout, until the server responds', async () => {
    proxy.blackhole();
    await refused(ask());
    // With a time limit each, 120 statements would need two minutes, more than a test may take.
    for (let count = 0; count < 120; count++) await refused(ask());
  });

  test('statements succeed again when the network is back', async () => {
    proxy.blackhole();
    await refused(ask());
    await proxy.resume();
    await vi.waitFor(async () => expect(await ask()).toHaveLength(1), { timeout: 20_000 });
  });
});

test('after a firewall drops its connections, one time limit passes and every idle connection is replaced', async () => {
  await Promise.all([ask(), ask()]);
  proxy.forget();
  await refused(ask());
  await vi.waitFor(async () => expect(await ask()).toHaveLength(1), { timeout: 20_000 });
  expect(await Promise.all([ask(), ask()])).toHaveLength(2);
});

test('a reset connection is replaced', async () => {
  const [before] = await ask();
  proxy.reset();
  await vi.waitFor(async () => expect((await ask())[0]?.pid).not.toBe(before?.pid), { timeout: 20_000 });
});

test('a refused connection ends a statement at once with DatabaseAway', async () => {
  await proxy.refuse();
  proxy.reset();
  await vi.waitFor(() => refused(ask()), { timeout: 20_000 });
});

test('a slow statement times out while other statements complete', async () => {
  const slow = db.query(sql`select pg_sleep(30)`);
  const answers = (async () => {
    for (let count = 0; count < 30; count++) await db.query(sql`select pg_sleep(0.05)`);
  })();
  await refused(slow);
  await answers;
});

test('a given-up commit that waits for a lock leaves no connection open on the server', async () => {
  const holder = new pg.Client(database.connection);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('select pg_advisory_lock(1)');
  // A trigger at the end of a transaction waits as a notification does: within the commit.
  await db.query(sql`create table committed (id integer)`);
  await db.query(sql`
    create function wait_at_commit() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(1); return null; end $$
  `);
  await db.query(sql`
    create constraint trigger wait_at_commit after insert on committed initially deferred
    for each row execute function wait_at_commit()
  `);
  await refused(transaction(db, tx => tx.query(sql`insert into committed values (1)`)));
  const waiting = async () =>
    (await db.query(sql`select pid from pg_stat_activity where wait_event = 'advisory' and query = 'commit'`)).length;
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
});

test('a statement of a job has a longer time limit than one of a request', async () => {
  expect(await db.longRunning.query(sql`select pg_sleep(1.5)::text as done`)).toEqual([{ done: '' }]);
});

describe('a failed statement', () => {
  // No test here waits for a limit, so a slow machine must not reach one either.
  const noLimits = { requestMs: 60_000, connectMs: 60_000 };

  beforeEach(async () => {
    await db.close();
    db = open(noLimits);
  });

  test.each(['25006', '53100', '53300', '57P01', '57P03', '08006', '58030'])(
    'with SQLSTATE %s is DatabaseAway, and its connection is not returned to the pool',
    async code => {
      const [before] = await ask();
      await refused(db.query(sql`do ${raw(code)}`));
      expect((await ask())[0]?.pid).not.toBe(before?.pid);
      expect(failures.at(-1)).toMatchObject({ cause: { code } });
    },
  );

  test('that waited too long for a lock is DatabaseAway, and its connection is returned to the pool', async () => {
    const [before] = await ask();
    await refused(db.query(sql`do ${raw('55P03')}`));
    expect((await ask())[0]?.pid).toBe(before?.pid);
  });

  test('with a unique violation keeps its connection', async () => {
    const [before] = await ask();
    await db.query(sql`do ${raw('23505')}`).catch(() => undefined);
    expect((await ask())[0]?.pid).toBe(before?.pid);
  });

  test('that writes to a read-only database is DatabaseAway', async () => {
    const { database: name } = database.connection;
    await db.query(sql`create table if not exists notes (text text)`);
    await db.close();
    await asAdministrator(database.connection, client =>
      client.query(`alter database ${name} set default_transaction_read_only = on`),
    );
    db = open(noLimits);
    await refused(db.query(sql`insert into notes values ('x')`));
    await refused(transaction(db, tx => tx.query(sql`insert into notes values ('x')`)));
    await asAdministrator(inject('postgres'), client =>
      client.query(`alter database ${name} reset default_transaction_read_only`),
    );
  });
});

/** An anonymous block that raises this SQLSTATE. */
function raw(code: string) {
  return sql([`$$ begin raise sqlstate '${code}'; end $$`] as unknown as TemplateStringsArray);
}

test('the pool closes while the network drops every packet', async () => {
  proxy.blackhole();
  const pending = refused(ask());
  await db.close();
  await pending;
  db = openDatabase({ connection: throughProxy(), poolSize: 1, timings });
});
