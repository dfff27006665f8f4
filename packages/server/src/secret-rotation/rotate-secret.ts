import type pg from 'pg';
import { assertSecretFits, renewSecretCheck } from '../features/installation/secret-check.ts';
import { lockInstallation } from '../features/installation/store.ts';
import { reencryptProjects } from '../features/projects/settings/reencryption.ts';
import { hasOtherKeyValues, type Reencrypted, reencryptColumn } from '../platform/crypto/reencryption.ts';
import { createSecrets, type Secrets } from '../platform/crypto/secrets.ts';
import { databaseTimings } from '../platform/database/connections/timings.ts';
import { type Database, openDatabase, transaction } from '../platform/database/database.ts';
import { encryptedColumns } from './encrypted-columns.ts';

interface SecretRotation {
  readonly connection: pg.ClientConfig;
  /** The new secret. */
  readonly secret: string;
  /** The previous secret. */
  readonly previousSecret: string;
  readonly onProgress?: (what: string) => void;
  /** Stops the rotation after the current table; the next run continues. */
  readonly signal?: AbortSignal;
}

export interface SecretRotationOutcome {
  /** The number of re-encrypted values by column; columns without any are absent. */
  readonly reencrypted: Readonly<Record<string, number>>;
  /** The number of values that neither secret decrypts, by column. They were unreadable before and are not changed. */
  readonly unreadable: Readonly<Record<string, number>>;
  /** Whether the new secret alone is now sufficient. */
  readonly isComplete: boolean;
}

/** The limit stops a rotation that never ends because a server still encrypts under the previous secret. */
const maxPasses = 5;

/**
 * Re-encrypts under the new secret every value that is encrypted under the previous one, while servers run that accept
 * both. Safe to interrupt and to repeat.
 *
 * @throws SettingsError when the database is encrypted under neither secret
 */
export async function rotateSecret(rotation: SecretRotation): Promise<SecretRotationOutcome> {
  const { connection, secret, previousSecret } = rotation;
  const db = openDatabase({ connection, poolSize: 1, timings: { requestMs: databaseTimings.longRunningMs } });
  const secrets = createSecrets(secret, previousSecret);
  try {
    await transaction(db, async tx => {
      const { secretCheck } = await lockInstallation(tx);
      // Not with the new secret alone: the existing values are encrypted under the previous one.
      const known = secretCheck === null ? createSecrets(previousSecret) : secrets;
      await assertSecretFits(tx, secretCheck, known);
    });
    return await reencryptAll(db, secrets, rotation);
  } finally {
    await db.close();
  }
}

/** The rotation on an open database. `secrets` accept the previous secret. */
export async function reencryptAll(
  db: Database,
  secrets: Secrets,
  { onProgress, signal }: Pick<SecretRotation, 'onProgress' | 'signal'> = {},
): Promise<SecretRotationOutcome> {
  const reencrypted: Record<string, number> = {};
  for (let pass = 1; ; pass++) {
    const unreadable: Record<string, number> = {};
    let found = 0;
    for (const [name, reencrypt] of listReencryptions(db, secrets)) {
      if (signal?.aborted === true) return { reencrypted, unreadable, isComplete: false };
      onProgress?.(name);
      const done = await reencrypt();
      found += done.reencrypted;
      if (done.reencrypted > 0) reencrypted[name] = (reencrypted[name] ?? 0) + done.reencrypted;
      if (done.unreadable > 0) unreadable[name] = done.unreadable;
    }
    if (found === 0 && !(await hasMissedValues(db, secrets))) {
      // Values that cannot be decrypted were unreadable before: keeping the previous secret would not help.
      await transaction(db, tx => renewSecretCheck(tx, secrets));
      return { reencrypted, unreadable, isComplete: true };
    }
    if (pass === maxPasses) return { reencrypted, unreadable, isComplete: false };
  }
}

/** Whether an update has hidden a value from all chunks. The rows of projects are read by id, so they need no such check. */
async function hasMissedValues(db: Database, secrets: Secrets): Promise<boolean> {
  for (const column of encryptedColumns) if (await hasOtherKeyValues(db, column, secrets)) return true;
  return false;
}

function listReencryptions(db: Database, secrets: Secrets): [string, () => Promise<Reencrypted>][] {
  return [
    ['projects.config', () => reencryptProjects(db, secrets)],
    ...encryptedColumns.map((column): [string, () => Promise<Reencrypted>] => [
      column.name,
      () => reencryptColumn(db, column, secrets),
    ]),
  ];
}
