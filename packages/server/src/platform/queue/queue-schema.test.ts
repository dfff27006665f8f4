import { asAdministrator, createTestDatabase } from '@tessera/testing/database';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../database/migration/migrate.ts';

test('an account that row security hides the jobs from is refused at a start, and accepted with bypassrls', async () => {
  const database = await createTestDatabase();
  const account = database.connection.database.replace('test_', 'account_');
  const administer = (text: string) => asAdministrator(database.connection, client => client.query(text));
  onTestFinished(async () => {
    await database.drop();
    await asAdministrator({ ...database.connection, database: 'template1' }, client =>
      client.query(`drop role if exists ${account}`),
    );
  });
  await administer(`
    create role ${account};
    grant usage on schema public, graphile_worker to ${account};
    grant select, insert, update, delete on all tables in schema public, graphile_worker to ${account};
  `);
  const connection = { ...database.connection, options: `-c role=${account}` };

  await expect(migrate(connection)).rejects.toThrow(`alter role ${account} bypassrls`);
  await administer(`alter role ${account} bypassrls`);
  expect(await migrate(connection)).toEqual({ applied: [] });
});
