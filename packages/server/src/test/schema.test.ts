import { join } from 'node:path';
import { createTestDatabase } from '@tessera/testing/database';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '../platform/database/migration/migrate.ts';
import { readSchemaText } from './schema-text.ts';

test('schema.sql is the schema after all migrations', async () => {
  const database = await createTestDatabase({ isEmpty: true });
  try {
    await migrate(database.connection, await readMigrations());
    const file = join(import.meta.dirname, '../migrations/schema.sql');
    await expect(await readSchemaText(database)).toMatchFileSnapshot(file);
  } finally {
    await database.drop();
  }
});
