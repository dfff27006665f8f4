import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { usageError } from './failure.ts';

/** An offline attacker can try passphrases against the file without limit, so a short one is refused. */
const minLength = 12;
const keyBytes = 32;
const saltBytes = 16;
/** scrypt: 64 MB and some tenths of a second for each guess (RFC 7914). Part of the formats of backups and exports. */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 };

const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

/** @throws a usage error when a new file would have a passphrase that is too short */
export function assertPassphraseLength(passphrase: string): void {
  if (passphrase.length < minLength) throw usageError(`The passphrase must have ${minLength} characters or more.`);
}

/** A random salt for `deriveKey`; each file has its own. */
export function createSalt(): Buffer {
  return randomBytes(saltBytes);
}

/** The key of a file, 256 bits. */
export function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return derive(passphrase, salt, keyBytes, cost);
}
