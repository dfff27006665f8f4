// Plain JavaScript: a worker thread is started from a file, in the sources as in the build.
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { dictionary } from '@zxcvbn-ts/language-common';

const marks = new BigUint64Array(dictionary['passwords-common'].map(password => markOf(String(password)))).sort();
parentPort?.postMessage(marks, [marks.buffer]);

/** As `markOf` in common-passwords.ts. */
function markOf(password) {
  return createHash('sha256').update(password).digest().readBigUInt64BE();
}
