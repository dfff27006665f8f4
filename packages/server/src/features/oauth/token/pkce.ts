import { createHash } from 'node:crypto';
import { codeVerifierMaxLength, codeVerifierMinLength } from '@tessera/protocol';

const verifierPattern = /^[A-Za-z0-9._~-]+$/;

/** RFC 7636 section 4.6, with the lengths of section 4.1 (control 49). */
export function fitsChallenge(verifier: string | undefined, challenge: string): boolean {
  if (verifier === undefined || !verifierPattern.test(verifier)) return false;
  if (verifier.length < codeVerifierMinLength || verifier.length > codeVerifierMaxLength) return false;
  return createHash('sha256').update(verifier).digest('base64url') === challenge;
}
