import { createSecrets, type Secrets } from '@tessera/server';
import { Failure } from '../failure.ts';
import { assertPassphraseLength, createSalt, deriveKey } from '../passphrase.ts';

const checkPurpose = 'check';
const checkText = 'tessera';

/** The parameters of the encryption, in the first line of a file. */
export interface VaultHead {
  readonly salt: string;
  /** An encrypted constant that verifies a passphrase. */
  readonly check: string;
}

/** Encrypts secrets with a passphrase. */
export interface Vault {
  readonly head: VaultHead;
  encrypt(purpose: string, plain: Uint8Array | string): string;
  /** @throws when the file was changed */
  decrypt(purpose: string, encrypted: string): Buffer;
}

export async function createVault(passphrase: string): Promise<Vault> {
  assertPassphraseLength(passphrase);
  const salt = createSalt().toString('base64');
  const secrets = await secretsOf(passphrase, salt);
  const check = secrets.encrypt(checkPurpose, checkText).toString('base64');
  return vault({ salt, check }, secrets);
}

/** @throws when the passphrase does not match the file */
export async function openVault(passphrase: string, head: VaultHead): Promise<Vault> {
  const opened = vault(head, await secretsOf(passphrase, head.salt));
  try {
    opened.decrypt(checkPurpose, head.check);
  } catch {
    throw new Failure('The passphrase is not the one that encrypted the file. Nothing was imported.');
  }
  return opened;
}

function vault(head: VaultHead, secrets: Secrets): Vault {
  return {
    head,
    encrypt: (purpose, plain) => secrets.encrypt(purpose, plain).toString('base64'),
    decrypt: (purpose, encrypted) => secrets.decrypt(purpose, Buffer.from(encrypted, 'base64')),
  };
}

async function secretsOf(passphrase: string, salt: string): Promise<Secrets> {
  const key = await deriveKey(passphrase, Buffer.from(salt, 'base64'));
  return createSecrets(key.toString('base64'));
}
