import { fail } from '@tessera/protocol';
import type { Deps } from '../../../deps.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { isTrustedUrl, type ProjectConfig } from '../../projects/index.ts';
import { createCode, linkWithCode } from '../../verification-codes/index.ts';

export { hasVerifiedAddress } from './store.ts';

export interface Verification {
  readonly projectId: string;
  readonly userId: string;
  /** In the spelling of `normalizedEmail`. */
  readonly address: string;
  readonly callbackUrl: string;
  readonly userDisplayName: string | null;
  /** False for a caller on the machine of the server, in development. */
  readonly countsInQuota: boolean;
}

/** Enqueues the email that verifies an address. Code and email are part of the transaction. */
export async function sendVerification(
  tx: Transaction,
  { projectId, userId, address, callbackUrl, userDisplayName, countsInQuota }: Verification,
  deps: Pick<Deps, 'clock' | 'mail'>,
): Promise<void> {
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
    },
  });
}

/** @throws REDIRECT_URL_NOT_WHITELISTED */
export function assertTrusted(callbackUrl: string, config: ProjectConfig): void {
  if (!isTrustedUrl(callbackUrl, config)) fail('REDIRECT_URL_NOT_WHITELISTED');
}
