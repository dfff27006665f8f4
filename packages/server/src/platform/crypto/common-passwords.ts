import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sha256 } from './secrets.ts';

let known: Promise<BigUint64Array> | undefined;

/**
 * Whether a password is one of the 49,000 most common ones. The check ignores letter case and symbols around the
 * password. The list is part of the package; no network request is made.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  // Loaded at the first check: many installations never need it.
  known ??= load();
  const common = await known;
  const plain = password.normalize('NFKC').toLowerCase();
  return includesSorted(common, fingerprintOf(plain)) || includesSorted(common, fingerprintOf(stripSymbols(plain)));
}

/**
 * A 64-bit fingerprint of each password, in ascending order: 0.4 MB. The words and the dictionaries that are loaded with
 * them take 17 MB, which the worker thread frees when it ends.
 */
async function load(): Promise<BigUint64Array> {
  const worker = new Worker(new URL('./common-passwords-worker.mjs', import.meta.url));
  const [fingerprints] = await once(worker, 'message');
  return fingerprints as BigUint64Array;
}

function fingerprintOf(password: string): bigint {
  return sha256(password).readBigUInt64BE();
}

function includesSorted(ascending: BigUint64Array, fingerprint: bigint): boolean {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const found = ascending[middle] ?? 0n;
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
