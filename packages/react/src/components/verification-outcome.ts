import { type ClientApp, isKnown } from '@tessera/client';

/** What came of a code, as the person who clicked sees it. */
export type VerificationOutcome = 'verified' | 'invalid' | 'expired';

/** @throws the error, where the page has nothing to say about it. */
export function verificationOutcome(result: Awaited<ReturnType<ClientApp['verifyEmail']>>): VerificationOutcome {
  if (result.status === 'ok') return 'verified';
  if (isKnown(result.error, 'VERIFICATION_CODE_NOT_FOUND')) return 'invalid';
  if (isKnown(result.error, 'VERIFICATION_CODE_EXPIRED')) return 'expired';
  // The address is verified, which is all that was asked for.
  if (isKnown(result.error, 'VERIFICATION_CODE_ALREADY_USED')) return 'verified';
  throw result.error;
}
