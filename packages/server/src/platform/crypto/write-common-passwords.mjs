// Writes common-passwords.bin: `npm run common-passwords --workspace packages/server`. Run it when the list has a new version.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dictionary } from '@zxcvbn-ts/language-common';

const fingerprints = new BigUint64Array(
  dictionary['passwords-common'].map(password =>
    createHash('sha256').update(String(password)).digest().readBigUInt64BE(),
  ),
).sort();
const bytes = Buffer.alloc(fingerprints.byteLength);
for (const [index, fingerprint] of fingerprints.entries()) bytes.writeBigUInt64BE(fingerprint, index * 8);
writeFileSync(new URL('common-passwords.bin', import.meta.url), bytes);
