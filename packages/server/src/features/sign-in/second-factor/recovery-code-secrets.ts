import { randomBytes } from 'node:crypto';
import { recoveryCodeCount, recoveryCodeLength } from '@tessera/protocol';
import { toBase32 } from '../../../platform/crypto/random.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';

/** New recovery codes, in groups of four characters: `4f0k-9zqt-1m7c-h2vd`. Control 64: 80 random bits each. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = toBase32(randomBytes(recoveryCodeLength));
    return text.match(/.{4}/g)?.join('-') ?? text;
  });
}

/**
 * The code as it is hashed: without blanks and dashes, in lower case. Characters that Crockford's base32 leaves out are
 * read as the ones that they look like.
 */
function normalizedRecoveryCode(typed: string): string {
  return typed
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
    .replaceAll('u', 'v');
}

/** The stored hash. The user is part of it, so one guess against a stolen table tests one account. */
export function hashRecoveryCode(projectId: string, userId: string, typed: string): Buffer {
  return sha256(`recovery code:${projectId}:${userId}:${normalizedRecoveryCode(typed)}`);
}
