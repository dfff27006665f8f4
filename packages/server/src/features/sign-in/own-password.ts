import { fail } from '@tessera/protocol';
import type { Passwords } from '../../platform/crypto/passwords.ts';
import {
  failedSignInUses,
  type LimitedCall,
  ownPasswordUses,
  type RateLimits,
  unknownBlockUses,
} from '../../platform/rate-limits/index.ts';

interface OwnPasswordCall extends LimitedCall {
  readonly user: { readonly id: string; readonly primaryEmail: string | null };
}

interface OwnPassword {
  /** As the caller typed it. */
  readonly password: string;
  readonly passwordHash: string;
  /** The account has a recent sign-in from the address block of the caller. */
  readonly isKnownSource: boolean;
}

/**
 * Compares the password of a signed-in user. A wrong one counts as a failed sign-in: a stolen access token must not allow
 * guessing. It counts for the id, too, because the caller may change the address. A right one is limited as a sign-in is.
 *
 * @throws PASSWORD_CONFIRMATION_MISMATCH, or LimitReached
 */
export function assertOwnPassword(
  call: OwnPasswordCall,
  { password, passwordHash, isKnownSource }: OwnPassword,
  { passwords, rateLimits }: { readonly passwords: Passwords; readonly rateLimits: RateLimits },
): Promise<void> {
  const { id, primaryEmail } = call.user;
  const [perAccount, ...perAddress] = failedSignInUses(call, id);
  const perEmail = primaryEmail === null ? [] : failedSignInUses(call, primaryEmail).slice(0, 1);
  const narrow = [perAccount, ...perEmail, ...perAddress];
  const accounts = primaryEmail === null ? [id] : [id, primaryEmail];
  const accepted = ownPasswordUses(call.project.id, id);
  const accountWide = isKnownSource ? [] : accounts.flatMap(account => unknownBlockUses(call, account));
  return rateLimits.limitConcurrency(perAccount, async () => {
    await rateLimits.assertLeft([...narrow, ...accepted]);
    const matches = () => passwords.matches(password, passwordHash, call.project.id);
    if (await rateLimits.guess(accountWide, matches)) return rateLimits.spend(accepted);
    await rateLimits.spend(narrow);
    fail('PASSWORD_CONFIRMATION_MISMATCH');
  });
}
