import { fail, passwordEndpoints } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Passwords } from '../../../platform/crypto/passwords.ts';
import type { Database } from '../../../platform/database/database.ts';
import {
  failedSignInUses,
  type RateLimits,
  signInUses,
  unknownBlockUses,
} from '../../../platform/rate-limits/index.ts';
import { normalizedEmail, setPasswordHash } from '../../accounts/users/index.ts';
import type { AuditWriter } from '../../audit/index.ts';
import { recordFailedSignIn } from '../attempts.ts';
import { type FinishSignInDeps, type FirstFactorPassed, finishSignIn } from '../finish.ts';
import { assertPasswordsEnabled } from '../rules.ts';
import { selectPasswordAttempt } from '../store.ts';

export type PasswordSignInDeps = FinishSignInDeps & {
  readonly clock: Clock;
  readonly db: Database;
  readonly passwords: Passwords;
  readonly audit: AuditWriter;
  readonly rateLimits: RateLimits;
};

/** docs/contract/sign-in-methods.md#password-sign-in */
export function passwordSignInRoutes(deps: PasswordSignInDeps): BoundRoute[] {
  return [
    bind(passwordEndpoints.signIn, async call => {
      const { body, project, request, source } = call;
      assertPasswordsEnabled(project.config);
      const claim = { call, address: normalizedEmail(body.email), password: body.password };
      const passed = { projectId: project.id, isNewUser: false, request, source, method: 'password' };
      const first = await finishSignIn({ ...passed, ...(await verifyPasswordClaim(claim, deps)) }, deps);
      // A concurrent sign-in may have replaced the hash; the password matches the new one too.
      const second = first ?? (await finishSignIn({ ...passed, ...(await verifyPasswordClaim(claim, deps)) }, deps));
      if (second !== undefined) return second;
      recordFailedSignIn(call, { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' }, deps);
      fail('EMAIL_PASSWORD_MISMATCH');
    }),
  ];
}

interface PasswordClaim {
  readonly call: Call<typeof passwordEndpoints.signIn>;
  /** Normalized. */
  readonly address: string;
  readonly password: string;
}

/**
 * Verifies the password of an account. An unknown address costs one comparison, as a wrong password does (controls 1,
 * 2).
 *
 * @throws EMAIL_PASSWORD_MISMATCH
 */
async function verifyPasswordClaim(
  claim: PasswordClaim,
  deps: PasswordSignInDeps,
): Promise<Pick<FirstFactorPassed, 'userId' | 'passwordHash' | 'isRecordedSource'>> {
  const { call, address } = claim;
  const narrow = failedSignInUses(call, address);
  const everywhere = unknownBlockUses(call, address);
  deps.rateLimits.assertNotRemembered(narrow);
  return deps.rateLimits.limitConcurrency(narrow[0], async () => {
    deps.rateLimits.assertNotRemembered(narrow);
    const { id: projectId } = call.project;
    const { userId, passwordHash, isKnownSource, isRecordedSource, spent } = await selectPasswordAttempt(deps.db, {
      projectId,
      address,
      block: call.source.block,
      nowMillis: deps.clock.now(),
      spentColumn: deps.rateLimits.check([...narrow, ...everywhere]).spentColumn,
    });
    const accountWide = isKnownSource ? [] : everywhere;
    deps.rateLimits.check([...narrow, ...accountWide]).assertLeft(spent);
    // `finishSignIn` would refuse a right password, after a comparison that each repeated request costs again.
    if (userId !== null) deps.rateLimits.assertNotRemembered(signInUses(projectId, userId, call.source));
    const matches = await deps.rateLimits.guess(accountWide, () =>
      deps.passwords.matches(claim.password, passwordHash, projectId),
    );
    if (userId !== null && passwordHash !== null && matches) {
      const account = { projectId, userId, password: claim.password, passwordHash };
      return { userId, passwordHash: await rehashPassword(account, deps), isRecordedSource };
    }
    const failed = { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH', userId: userId ?? undefined };
    recordFailedSignIn(call, failed, deps);
    await deps.rateLimits.spend(narrow);
    fail('EMAIL_PASSWORD_MISMATCH');
  });
}

/** Replaces imported and older hashes while the password is known. @returns the hash that is stored now */
async function rehashPassword(
  account: { projectId: string; userId: string; password: string; passwordHash: string },
  deps: PasswordSignInDeps,
): Promise<string> {
  const { projectId, userId, password, passwordHash } = account;
  if (!deps.passwords.needsRehash(passwordHash)) return passwordHash;
  const better = await deps.passwords.hash(password, projectId);
  const isOurs = await setPasswordHash(deps.db, projectId, userId, { from: passwordHash, to: better });
  return isOurs ? better : passwordHash;
}
