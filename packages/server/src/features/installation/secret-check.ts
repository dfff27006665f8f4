import { SettingsError } from '../../env.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { setSecretCheck } from './store.ts';

const purpose = 'secret of the installation';
const text = 'the secret fits';

/**
 * Checks that this process has the secret that encrypts the database. With a different secret the server would start, and
 * every second factor, mail server and provider would fail later.
 *
 * @param check the stored value; null when there is none yet
 * @throws SettingsError
 */
export async function assertSecretFits(tx: Transaction, check: Buffer | null, secrets: Secrets): Promise<void> {
  if (check === null) return renewSecretCheck(tx, secrets);
  if (fitsSecretCheck(check, secrets)) return;
  throw new SettingsError([
    'The secret of this process is not the one that the database was encrypted under.',
    'Give it that one: TESSERA_SECRET, or without it the file `secret` in the data folder, from the same backup as the database.',
    'If you are changing the secret, set TESSERA_PREVIOUS_SECRET to the old one, and run: tessera rotate-secret',
  ]);
}

/** Encrypts the check value under the current secret. */
export function renewSecretCheck(tx: Transaction, secrets: Secrets): Promise<void> {
  return setSecretCheck(tx, secrets.encrypt(purpose, text));
}

/** Whether a check value is encrypted under an accepted secret. */
export function fitsSecretCheck(check: Buffer, secrets: Secrets): boolean {
  try {
    return secrets.decrypt(purpose, check).toString() === text;
  } catch {
    // Decryption fails under a secret that is not accepted, which is the result that the caller needs.
    return false;
  }
}
