import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import {
  type DebianPostgres,
  hasDebianPostgres,
  startDebianPostgres,
  startDebianReplica,
} from '@tessera/testing/debian-postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assertOneDatabase } from './one-database.ts';

let database: TestDatabase;
let other: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  other = await createTestDatabase({ isEmpty: true });
});
afterEach(() => Promise.all([database.drop(), other.drop()]));

const urls = (url: string, directUrl: string, readUrl?: string) => ({
  connection: { connectionString: url },
  directConnection: { connectionString: directUrl },
  ...(readUrl !== undefined && { replica: { connectionString: readUrl } }),
});

test('two addresses of one database are accepted', async () => {
  await assertOneDatabase(urls(database.url, `${database.url}&application_name=direct`));
});

test('a direct address or a read address of another database is refused by the name of its setting', async () => {
  await expect(assertOneDatabase(urls(database.url, other.url))).rejects.toThrow(
    `TESSERA_DATABASE_DIRECT_URL and DATABASE_URL lead to different databases (${other.connection.database}, not`,
  );
  await expect(assertOneDatabase(urls(database.url, database.url, other.url))).rejects.toThrow(
    'DATABASE_READ_URL and DATABASE_URL lead to different databases',
  );
});

test('a read address where no server listens is not compared', async () => {
  await assertOneDatabase(urls(database.url, database.url, 'postgresql://tessera@127.0.0.1:1/tessera'));
});

describe.skipIf(!hasDebianPostgres)('with a streaming replica', () => {
  let primary: DebianPostgres;
  let replica: DebianPostgres;
  beforeAll(async () => {
    primary = await startDebianPostgres();
    replica = await startDebianReplica(primary.postgres);
  }, 120_000);
  afterAll(async () => {
    await replica.stop();
    await primary.stop();
  });

  test('the replica is accepted, and a database of the same name in another cluster is refused', async () => {
    const connections = { connection: primary.postgres, directConnection: primary.postgres };
    await assertOneDatabase({ ...connections, replica: replica.postgres });
    const elsewhere = { ...database.connection, database: 'template1' };
    const sameName = { ...primary.postgres, database: 'template1' };
    await expect(
      assertOneDatabase({ connection: sameName, directConnection: sameName, replica: elsewhere }),
    ).rejects.toThrow('(both are named template1)');
  });
});
