import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sha256 } from './secrets.ts';

let known: Promise<BigUint64Array> | undefined;

/**
 * Whether a password is one of the 49,000 that people choose most often: in any letters, and with whatever signs around
 * it. The list comes along with the program; nobody is asked.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  // Loaded by the first password that is asked about: many installations never need it.
  known ??= load();
  const common = await known;
  const plain = password.normalize('NFKC').toLowerCase();
  return has(common, markOf(plain)) || has(common, markOf(withoutSigns(plain)));
}

/**
 * A mark of 64 bits for each, in ascending order: 0.4 MB. The words themselves, and the dictionaries that come along
 * with them, take 17 MB and go with the thread that has read them.
 */
async function load(): Promise<BigUint64Array> {
  const worker = new Worker(new URL('./common-passwords-worker.mjs', import.meta.url));
  const [marks] = await once(worker, 'message');
  return marks as BigUint64Array;
}

function markOf(password: string): bigint {
  return sha256(password).readBigUInt64BE();
}

function has(ascending: BigUint64Array, mark: bigint): boolean {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const found = ascending[middle] ?? 0n;
    if (found === mark) return true;
    if (found < mark) from = middle + 1;
    else to = middle;
  }
  return false;
}

/** `password1!` is no better than `password1`. */
function withoutSigns(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]{1,70}/u, '').replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]{1,70}$/u, '');
}
