import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '@tessera/testing/pgbouncer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, transaction } from '../database.ts';
import { sql } from '../sql.ts';
import { assertKeepsSession, detectPooling } from './pooler.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

test('a direct connection is detected', async () => {
  expect(await detectPooling(database.connection)).toBe('none');
  await assertKeepsSession(database.connection);
});

describe.skipIf(!hasPgbouncer)('through PgBouncer', () => {
  let pgbouncer: Pgbouncer;
  let db: Database | undefined;
  afterEach(async () => {
    await db?.close();
    db = undefined;
    await pgbouncer.stop();
  });

  test.each([1, 3])('session mode with %i connections is detected and may be used for everything', async size => {
    pgbouncer = await startPgbouncer(database.connection, { mode: 'session', serverConnections: size });
    expect(await detectPooling(pgbouncer.connection)).toBe('session');
    await assertKeepsSession(pgbouncer.connection);
  });

  test.each([1, 3])('transaction mode with %i connections is refused for work that needs a session', async size => {
    pgbouncer = await startPgbouncer(database.connection, { mode: 'transaction', serverConnections: size });
    expect(await detectPooling(pgbouncer.connection)).toBe('transaction');
    await expect(assertKeepsSession(pgbouncer.connection)).rejects.toThrow('set TESSERA_DATABASE_DIRECT_URL');
  });

  test('a statement has its timeouts and settings, and leaves none on the server connection', async () => {
    pgbouncer = await startPgbouncer(database.connection, { mode: 'transaction' });
    const sessionSettings = { 'tessera.hands_events_on': 'on' };
    db = openDatabase({ connection: pgbouncer.connection, poolSize: 6, isBehindPooler: true, sessionSettings });
    const plain = openDatabase({ connection: pgbouncer.connection, poolSize: 6, isBehindPooler: true });
    const settings = sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('synchronous_commit') as commit,
        current_setting('tessera.hands_events_on', true) as hands_on
    `;
    const [first] = await db.query(settings);
    const [asyncCommit] = await db.asyncCommit.query(settings);
    const [inTransaction] = await transaction(db, tx => tx.query(settings));
    const [after] = await plain.query(settings);
    await plain.close();
    expect(first).toEqual({ statement: '5s', lock: '5s', commit: 'on', hands_on: 'on' });
    expect(inTransaction).toEqual(first);
    expect(asyncCommit).toEqual({ ...first, commit: 'off' });
    expect(after).toEqual({ ...first, hands_on: '' });
  });

  test('an unnamed statement runs on every server connection', async () => {
    pgbouncer = await startPgbouncer(database.connection, { mode: 'transaction' });
    const opened = openDatabase({ connection: pgbouncer.connection, poolSize: 6, isBehindPooler: true });
    db = opened;
    const same = (value: number) => opened.query<{ value: number }>(sql`select ${value}::integer as value`);
    const rows = await Promise.all(Array.from({ length: 60 }, (_, value) => same(value)));
    expect(rows.flat().map(({ value }) => value)).toEqual(Array.from({ length: 60 }, (_, value) => value));
  });
});
