// Writes the file of common passwords. Run it when the list has a new version: node scripts/common-passwords.mjs
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dictionary } from '@zxcvbn-ts/language-common';
import { root } from './setup/workspace.mjs';

const file = join(root, 'packages/server/src/platform/crypto/common-passwords.bin');

const fingerprints = new BigUint64Array(
  dictionary['passwords-common'].map(password =>
    createHash('sha256').update(String(password)).digest().readBigUInt64BE(),
  ),
).sort();
const bytes = Buffer.alloc(fingerprints.byteLength);
for (const [index, fingerprint] of fingerprints.entries()) bytes.writeBigUInt64BE(fingerprint, index * 8);
writeFileSync(file, bytes);
