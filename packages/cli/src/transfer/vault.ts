import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { createSecrets, type Secrets } from '@tessera/server';
import { Failure, usageError } from '../failure.ts';

/** An offline attacker can try passphrases against the file without limit, so a short one is refused. */
const passphraseMinLength = 12;
const saltBytes = 16;
const keyBytes = 32;
/** scrypt parameters: 64 MB and some tenths of a second for each guess (RFC 7914). Part of the format. */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 };
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
  if (passphrase.length < passphraseMinLength) {
    throw usageError(`The passphrase must have ${passphraseMinLength} characters or more.`);
  }
  const salt = randomBytes(saltBytes).toString('base64');
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

const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

async function secretsOf(passphrase: string, salt: string): Promise<Secrets> {
  const key = await derive(passphrase, Buffer.from(salt, 'base64'), keyBytes, cost);
  return createSecrets(key.toString('base64'));
}
