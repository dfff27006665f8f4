import { SettingsError } from '../../env.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { setSecretCheck } from './store.ts';

const purpose = 'secret of the installation';
const text = 'the secret fits';

/**
 * Sees to it that this process has the secret that the database is encrypted under. With another one it would start,
 * and every second factor, mail server and provider would fail one by one.
 *
 * @param check as it is stored; null where there is none yet
 * @throws SettingsError
 */
export async function assertSecretFits(tx: Transaction, check: Buffer | null, secrets: Secrets): Promise<void> {
  if (check === null) return renewSecretCheck(tx, secrets);
  if (fits(check, secrets)) return;
  throw new SettingsError(
    [
      'The secret of this process is not the one that the database was encrypted under.',
      'Give it that one: TESSERA_SECRET, or without it the file `secret` in the data folder, from the same backup as the database.',
      'If you are changing the secret, set TESSERA_PREVIOUS_SECRET to the old one, and run: tessera rotate-secret',
    ].join('\n'),
  );
}

/** From now on the database belongs to the secret that there is. */
export function renewSecretCheck(tx: Transaction, secrets: Secrets): Promise<void> {
  return setSecretCheck(tx, secrets.encrypt(purpose, text));
}

function fits(check: Buffer, secrets: Secrets): boolean {
  try {
    return secrets.decrypt(purpose, check).toString() === text;
  } catch {
    // Encrypted under a secret that is not accepted: what this is asked for.
    return false;
  }
}
