import type pg from 'pg';
import { Failure } from '../failure.ts';
import { type OpenedDatabase, withClient } from './database.ts';

/** The secrets that decrypt a database. */
export interface DatabaseSecrets {
  readonly secret: string;
  /** The other accepted secret, while the installation changes its secret. */
  readonly previousSecret?: string | undefined;
}

/** Whether a database was encrypted under one of these secrets. Also true for one that no server has started on. */
export async function fitDatabase(
  { secret, previousSecret }: DatabaseSecrets,
  connection: pg.ClientConfig,
): Promise<boolean> {
  const { createSecrets, fitsSecretCheck } = await import('@tessera/server');
  const check = await withClient(connection, selectSecretCheck);
  return check === null || fitsSecretCheck(check, createSecrets(secret, previousSecret));
}

/**
 * The secrets of the environment or the data folder.
 *
 * @param consequence what would happen with other ones, for the refusal
 * @param make makes a missing secret
 * @throws Failure when the database was encrypted under another secret
 */
export async function readFittingSecrets(
  database: OpenedDatabase,
  consequence: string,
  make?: () => string,
): Promise<DatabaseSecrets> {
  const secrets = { secret: await database.secret(make), previousSecret: await database.previousSecret() };
  if (await fitDatabase(secrets, database.connection)) return secrets;
  throw new Failure(
    `The secret is not the one that the database was encrypted under, so ${consequence}. Set TESSERA_SECRET to the value that the servers use, and TESSERA_PREVIOUS_SECRET too while you change the secret. Nothing was written.`,
  );
}

async function selectSecretCheck(client: pg.Client): Promise<Buffer | null> {
  const columns = await client.query(
    `select from information_schema.columns
     where table_schema = current_schema() and table_name = 'installation' and column_name = 'secret_check'`,
  );
  // The schema is older than the check, or there is none.
  if (columns.rowCount === 0) return null;
  const { rows } = await client.query<{ check: Buffer | null }>('select secret_check as check from installation');
  return rows[0]?.check ?? null;
}
