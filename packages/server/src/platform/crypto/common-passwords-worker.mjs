// Plain JavaScript: a worker thread starts from a file, both in the sources and in the build.
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { dictionary } from '@zxcvbn-ts/language-common';

const fingerprints = new BigUint64Array(
  dictionary['passwords-common'].map(password => fingerprintOf(String(password))),
).sort();
parentPort?.postMessage(fingerprints, [fingerprints.buffer]);

/** The same function as `fingerprintOf` in common-passwords.ts. */
function fingerprintOf(password) {
  return createHash('sha256').update(password).digest().readBigUInt64BE();
}
