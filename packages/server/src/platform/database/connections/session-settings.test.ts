import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { hasPgbouncer, startPgbouncer } from '@tessera/testing/pgbouncer';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openWorkerPool } from '../../queue/worker-pool.ts';
import { type DatabaseOptions, openDatabase, transaction } from '../database.ts';
import { migrate } from '../migration/migrate.ts';
import { sql } from '../sql.ts';
import { databaseTimings } from './timings.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase({ isEmpty: true });
  return () => database.drop();
});

/** Sets a setting for all new connections to the database, as its administrator may have done. */
async function setForDatabase(name: string, value: string): Promise<void> {
  await database.query(`alter database ${database.connection.database} set ${name} = '${value}'`);
}

function open(connection: DatabaseOptions['connection'], isBehindPooler = false) {
  const db = openDatabase({ connection, poolSize: 2, isBehindPooler });
  onTestFinished(() => db.close());
  return db;
}

const settings = sql`
  select current_setting('transaction_isolation') as isolation, current_setting('idle_session_timeout') as idle
`;

describe('a database with settings of its own', () => {
  beforeEach(async () => {
    await setForDatabase('default_transaction_isolation', 'serializable');
    await setForDatabase('idle_session_timeout', '10s');
  });

  test('runs statements and transactions at read committed, and keeps idle connections', async () => {
    const db = open(database.connection);
    const [ofStatement] = await db.query(settings);
    const [ofTransaction] = await transaction(db, tx => tx.query(settings));
    expect([ofStatement, ofTransaction]).toEqual(Array(2).fill({ isolation: 'read committed', idle: '0' }));
  });

  test('runs statements and transactions at read committed behind a pooler', async () => {
    const db = open(database.connection, true);
    const [ofStatement] = await db.query(settings);
    const [ofTransaction] = await transaction(db, tx => tx.query(settings));
    expect([ofStatement, ofTransaction]).toMatchObject(Array(2).fill({ isolation: 'read committed' }));
  });

  test('runs the statements of the job queue at read committed', async () => {
    const { pgPool, close } = openWorkerPool(database.connection, 1, databaseTimings);
    onTestFinished(close);
    const { text } = settings;
    expect((await pgPool.query(text)).rows).toEqual([{ isolation: 'read committed', idle: '0' }]);
  });
});

test('the options of a connection string are kept, and replace no setting of the server', async () => {
  const db = open({ connectionString: `${database.url}&options=-c%20search_path%3Dapp%20-c%20work_mem%3D8MB` });
  const shown = sql`
    select current_setting('search_path') as path, current_setting('synchronous_commit') as commit
  `;
  expect(await db.asyncCommit.query(shown)).toEqual([{ path: 'app', commit: 'off' }]);
});

test('time limits in a connection string do not replace those of the server', async () => {
  const noLimits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].map(
    name => `&${name}=0`,
  );
  const db = open({ connectionString: `${database.url}${noLimits.join('')}` });
  const limits = sql`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle
  `;
  expect(await db.query(limits)).toEqual([{ statement: '5s', lock: '5s', idle: '15s' }]);
});

test('a statement timeout of the database does not end a migration', async () => {
  await setForDatabase('statement_timeout', '5ms');
  const slow = { number: 1, name: '0001-slow.sql', text: 'select pg_sleep(0.05)' };
  expect(await migrate(database.connection, [slow])).toEqual({ applied: ['0001-slow.sql'] });
});

test.skipIf(!hasPgbouncer)('the job queue works through PgBouncer in session mode', async () => {
  const pgbouncer = await startPgbouncer(database.connection, { mode: 'session' });
  onTestFinished(() => pgbouncer.stop());
  const { pgPool, close } = openWorkerPool(pgbouncer.connection, 1, databaseTimings);
  onTestFinished(close);
  const { rows } = await pgPool.query(`select current_setting('enable_seqscan') as "seqScan"`);
  expect(rows).toEqual([{ seqScan: 'off' }]);
});
