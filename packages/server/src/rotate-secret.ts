import type pg from 'pg';
import { encryptedColumns } from './encrypted-columns.ts';
import { assertSecretFits, renewSecretCheck } from './features/installation/secret-check.ts';
import { lockInstallation } from './features/installation/store.ts';
import { reencryptProjects } from './features/projects/settings/reencryption.ts';
import { type Reencrypted, reencryptColumn } from './platform/crypto/reencryption.ts';
import { createSecrets, type Secrets } from './platform/crypto/secrets.ts';
import { type Database, openDatabase, transaction } from './platform/database/database.ts';
import { databaseTimings } from './platform/database/timings.ts';

interface SecretRotation {
  readonly connection: pg.ClientConfig;
  /** The new one. */
  readonly secret: string;
  /** The one before it. */
  readonly previousSecret: string;
  readonly onProgress?: (what: string) => void;
  /** Ends it after the table at hand; what is left is done by the next one. */
  readonly signal?: AbortSignal;
}

export interface SecretRotationOutcome {
  /** How many values were encrypted anew, by column; those of which there were none are left out. */
  readonly reencrypted: Readonly<Record<string, number>>;
  /** Values that neither of the two secrets opens, by column; they were lost before, and stay as they are. */
  readonly unreadable: Readonly<Record<string, number>>;
  /** Whether the new secret alone is enough from now on. */
  readonly isComplete: boolean;
}

/** A server that still encrypts under the previous secret would keep it going for ever. */
const maxPasses = 5;

/**
 * Encrypts everything under a new secret that is encrypted under the previous one, while servers run that accept both.
 * Safe to interrupt, and to run again.
 *
 * @throws SettingsError when the database was encrypted under neither
 */
export async function rotateSecret(rotation: SecretRotation): Promise<SecretRotationOutcome> {
  const { connection, secret, previousSecret } = rotation;
  const db = openDatabase({ connection, poolSize: 1, timings: { requestMs: databaseTimings.longRunningMs } });
  const secrets = createSecrets(secret, previousSecret);
  try {
    await transaction(db, async tx => {
      const { secretCheck } = await lockInstallation(tx);
      // With the new secret alone it must not yet be done: what is there is encrypted under the previous one.
      const known = secretCheck === null ? createSecrets(previousSecret) : secrets;
      await assertSecretFits(tx, secretCheck, known);
    });
    return await reencryptAll(db, secrets, rotation);
  } finally {
    await db.close();
  }
}

async function reencryptAll(
  db: Database,
  secrets: Secrets,
  { onProgress, signal }: SecretRotation,
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
    if (found === 0) {
      // What cannot be read could not be read before: keeping the previous secret would not help.
      await transaction(db, tx => renewSecretCheck(tx, secrets));
      return { reencrypted, unreadable, isComplete: true };
    }
    if (pass === maxPasses) return { reencrypted, unreadable, isComplete: false };
  }
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
