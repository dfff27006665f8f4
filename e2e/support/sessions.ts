import { embeddedConnection } from '@tessera/testing/data-folder';
import { asAdministrator } from '@tessera/testing/database';
import type { TesseraServer } from './tessera-server.ts';

/** Makes all sign-ins an hour old. No page and no endpoint can, and a test does not wait. */
export async function ageSignIns({ dataDir }: Pick<TesseraServer, 'dataDir'>): Promise<void> {
  const connection = await embeddedConnection(dataDir);
  await asAdministrator(connection, client =>
    client.query(`
      update sessions set authenticated_at_millis = coalesce(authenticated_at_millis, created_at_millis) - 3600000
    `),
  );
}
