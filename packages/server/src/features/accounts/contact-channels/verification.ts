import { typedCodeLength } from '@tessera/protocol';
import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Mail } from '../../email/queue/index.ts';
import { createCode, linkWithCode } from '../../verification-codes/index.ts';

interface Verification {
  readonly projectId: string;
  readonly userId: string;
  /** The address in the spelling of `normalizedEmail`. */
  readonly address: string;
  readonly callbackUrl: string;
  readonly userDisplayName: string | null;
  /** Whether the email has a code to type, besides the link. */
  readonly hasTypedCode?: boolean;
  /** False for a caller on the machine of the server, in development. */
  readonly countsInQuota: boolean;
}

/**
 * Enqueues the email that verifies an address. Code and email are part of the transaction.
 *
 * @returns the nonce that completes the typed code
 */
export async function sendVerification(
  tx: Transaction,
  { projectId, userId, address, callbackUrl, userDisplayName, hasTypedCode = false, countsInQuota }: Verification,
  deps: { readonly clock: Clock; readonly mail: Mail },
): Promise<string> {
  const { code } = await createCode(tx, { projectId, kind: 'email_verification', userId, address, data: {} }, deps);
  await deps.mail.send(tx, {
    projectId,
    template: 'email_verification',
    recipient: address,
    userId,
    countsInQuota,
    variables: {
      emailVerificationLink: linkWithCode(callbackUrl, code),
      ...(userDisplayName === null ? {} : { userDisplayName }),
      ...(hasTypedCode ? { otp: code.slice(0, typedCodeLength).toUpperCase() } : {}),
    },
  });
  return code.slice(typedCodeLength);
}
