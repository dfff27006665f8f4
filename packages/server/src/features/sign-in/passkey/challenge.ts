import { randomBytes } from 'node:crypto';
import { passkeyChallengeBytes } from '@tessera/protocol';

/** A new random challenge for every ceremony, in every mode of the server (control 65). */
export function createChallenge(): string {
  return randomBytes(passkeyChallengeBytes).toString('base64url');
}
