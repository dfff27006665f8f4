import { asAdministrator } from '@tessera/testing/database';
import type { TesseraServer } from './tessera-server.ts';

/** Makes all sign-ins an hour old. No page and no endpoint can, and a test does not wait. */
export async function ageSignIns({ database }: Pick<TesseraServer, 'database'>): Promise<void> {
  await asAdministrator(await database(), client =>
    client.query(`
      update sessions set authenticated_at_millis = coalesce(authenticated_at_millis, created_at_millis) - 3600000
    `),
  );
}
