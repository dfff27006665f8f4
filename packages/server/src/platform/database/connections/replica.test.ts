import {
  type DebianPostgres,
  hasDebianPostgres,
  startDebianPostgres,
  startDebianReplica,
} from '@tessera/testing/debian-postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migration/migrate.ts';
import { sql } from '../sql.ts';

const patient = { requestMs: 25_000, connectMs: 10_000 };

describe.skipIf(!hasDebianPostgres)('reads with a streaming replica', () => {
  let primary: DebianPostgres;
  let replica: DebianPostgres | undefined;
  let db: Database;
  let fallbacks: string[];

  beforeAll(async () => {
    primary = await startDebianPostgres();
    await migrate(primary.postgres);
  }, 120_000);
  afterAll(() => primary.stop());

  beforeEach(async () => {
    replica = await startDebianReplica(primary.postgres);
    fallbacks = [];
    db = openDatabase({
      connection: primary.postgres,
      replica: replica.postgres,
      poolSize: 4,
      timings: patient,
      onReplicaFallback: ({ message }) => void fallbacks.push(message),
    });
    await db.query(sql`create table if not exists numbers (number int primary key)`);
    await db.query(sql`truncate numbers`);
  }, 120_000);
  afterEach(async () => {
    await db.close();
    await replica?.stop();
  });

  const write = (number: number) => db.query(sql`insert into numbers (number) values (${number})`);

  /** The newest number, and whether a replica answered. */
  async function read(): Promise<{ newest: number | null; isReplica: boolean }> {
    const [row] = await db.reads.query<{ newest: number | null; isReplica: boolean }>(sql`
      select max(number) as newest, pg_is_in_recovery() as "isReplica" from numbers
    `);
    return row ?? { newest: null, isReplica: false };
  }

  /** The pause after a failure ends, and the replica answers again. */
  function waitForReplica() {
    return expect.poll(async () => (await read()).isReplica, { timeout: 20_000 });
  }

  async function onReplica(statement: string): Promise<void> {
    const client = new pg.Client(replica?.postgres);
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  test('a read sees the write that was acknowledged before it, each time, and the replica answers', async () => {
    await waitForReplica().toBe(true);
    let fromReplica = 0;
    for (let number = 1; number <= 100; number++) {
      await write(number);
      const { newest, isReplica } = await read();
      expect(newest).toBe(number);
      if (isReplica) fromReplica++;
    }
    expect(fromReplica).toBeGreaterThan(0);
  });

  test('concurrent readers and writers: no reader misses a number that was acknowledged before it began', async () => {
    let acknowledged = 0;
    const writing = (async () => {
      for (let number = 1; number <= 200; number++) {
        await write(number);
        acknowledged = number;
      }
    })();
    const readAlways = async () => {
      while (acknowledged < 200) {
        const known = acknowledged;
        const { newest } = await read();
        expect(newest ?? 0).toBeGreaterThanOrEqual(known);
      }
    };
    await Promise.all([writing, readAlways(), readAlways(), readAlways()]);
  });

  test('a replica that is behind is left out until it has caught up', async () => {
    await waitForReplica().toBe(true);
    await onReplica('select pg_wal_replay_pause()');
    await write(1);
    expect(await read()).toEqual({ newest: 1, isReplica: false });
    expect(fallbacks).toContain('the read replica is behind');
    await onReplica('select pg_wal_replay_resume()');
    await waitForReplica().toBe(true);
  });

  test('a replica that is away is left out', async () => {
    await waitForReplica().toBe(true);
    await replica?.stop();
    replica = undefined;
    await write(1);
    expect(await read()).toEqual({ newest: 1, isReplica: false });
    expect(fallbacks).not.toEqual([]);
  });

  test('a replica that was promoted is left out', async () => {
    await waitForReplica().toBe(true);
    await onReplica('select pg_promote(true, 60)');
    await write(1);
    expect(await read()).toEqual({ newest: 1, isReplica: false });
    expect(fallbacks).toContain('the read replica is no replica');
  });

  test('lists and search of the API show a user at once', async () => {
    const server: TestServer = await openTestServer({
      connection: primary.postgres,
      replica: replica?.postgres ?? primary.postgres,
    });
    try {
      for (const name of ['Ada Replica', 'Bob Replica', 'Cyd Replica']) {
        await server.call('POST /users', { level: 'server', body: { display_name: name } });
        const { json } = await server.call('GET /users', { level: 'server', query: { query: name } });
        expect(json).toMatchObject({ items: [{ display_name: name }] });
      }
    } finally {
      await server.close();
    }
  });
});

test('without a replica, reads go to the primary', async () => {
  const server = await openTestServer();
  const rows = await server.deps.db.reads.query(sql`select pg_is_in_recovery() as "isReplica"`);
  expect(rows).toEqual([{ isReplica: false }]);
  await server.close();
});
