import { readFile } from 'node:fs/promises';
import { sha256 } from './secrets.ts';

const fingerprintBytes = 8;

let known: Promise<Buffer> | undefined;

/**
 * Whether a password is one of the 49,000 most common ones. The check ignores letter case and symbols around the
 * password. The list is part of the package; no network request is made.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  // Read at the first check: many installations never need it.
  known ??= readFingerprints().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  const common = await known;
  const plain = password.normalize('NFKC').toLowerCase();
  return includesPassword(common, plain) || includesPassword(common, stripSymbols(plain));
}

/**
 * The first 8 bytes of the SHA-256 of each password, in ascending order: 0.4 MB. The words themselves, with the library
 * that has them, would take 17 MB.
 */
function readFingerprints(): Promise<Buffer> {
  return readFile(new URL('./common-passwords.bin', import.meta.url));
}

function includesPassword(ascending: Buffer, password: string): boolean {
  const fingerprint = sha256(password).readBigUInt64BE();
  let from = 0;
  let to = ascending.length / fingerprintBytes;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const found = ascending.readBigUInt64BE(middle * fingerprintBytes);
    if (found === fingerprint) return true;
    if (found < fingerprint) from = middle + 1;
    else to = middle;
  }
  return false;
}

/** A symbol at the start or the end does not make a common password uncommon: `password1!`. */
function stripSymbols(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]{1,70}/u, '').replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]{1,70}$/u, '');
}
