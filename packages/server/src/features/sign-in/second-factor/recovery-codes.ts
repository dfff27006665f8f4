import { fail, recoveryCodeEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { clientWriteUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import {
  assertRecentSignIn,
  holdCallerSession,
  replaceRecoveryCodes,
  selectRecoveryCodes,
  selectUser,
  sendAccountNotice,
  spendRecoveryCode,
} from '../../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import type { Learn } from '../attempts.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-code-secrets.ts';
import { assertSecondFactor, type SecondFactorCall, type SpendAttempt, type TotpDeps } from './totp.ts';

export type RecoveryCodeDeps = TotpDeps & {
  readonly clock: Clock;
  readonly db: Database;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
};

/** docs/contract/decisions.md#account-safety */
export function recoveryCodeRoutes(deps: RecoveryCodeDeps): BoundRoute[] {
  return [
    bind(recoveryCodeEndpoints.read, async ({ project, user }) => {
      const { remaining, createdAtMillis } = await selectRecoveryCodes(deps.db, project.id, user.id);
      return { remaining, created_at_millis: createdAtMillis };
    }),

    bind(recoveryCodeEndpoints.create, async call => {
      const { project, user } = call;
      await assertRecentSignIn(call, deps);
      await deps.rateLimits.spend(clientWriteUses(call));
      const codes = createRecoveryCodes();
      const hashes = codes.map(code => hashRecoveryCode(project.id, user.id, code));
      const atMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        const isEnabled = await replaceRecoveryCodes(tx, project.id, user.id, { hashes, atMillis });
        if (!isEnabled) fail('SECOND_FACTOR_NOT_ENABLED');
        await holdCallerSession(tx, call, deps);
        const event = { action: 'factor.recovery_codes_created', userId: user.id, atMillis } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
        const notice = { notice: 'recovery_codes_created', to: [user.primaryEmail], about: {} } as const;
        await sendAccountNotice(tx, { projectId: project.id, userId: user.id, ...notice, by: call }, deps);
      });
      return { codes };
    }),
  ];
}

/**
 * Checks a recovery code and uses it up. It has the limits of a TOTP code.
 *
 * @returns the number of codes that are left
 * @throws INVALID_RECOVERY_CODE for a wrong or used code, and when the second factor has been switched off
 */
export async function assertRecoveryCode(
  call: SecondFactorCall,
  {
    userId,
    recoveryCode,
    spendAttempt,
  }: { userId: string; recoveryCode: string; spendAttempt?: SpendAttempt | undefined },
  { learn, deps }: { learn: Learn; deps: RecoveryCodeDeps },
): Promise<number> {
  const { id: projectId } = call.project;
  const hash = hashRecoveryCode(projectId, userId, recoveryCode);
  let remaining = 0;
  const spend = async (tx: Transaction, _: unknown, atMillis: number) => {
    const left = await spendRecoveryCode(tx, projectId, userId, hash);
    if (left === undefined) return false;
    remaining = left;
    const user = await selectUser(tx, projectId, userId);
    const event = { action: 'factor.recovery_code_used', userId, details: { remaining: left }, atMillis } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event });
    const about = { remainingCount: String(left) };
    const notice = { notice: 'recovery_code_used', to: [user?.primaryEmail ?? null], about } as const;
    await sendAccountNotice(tx, { projectId, userId, ...notice, by: call }, deps);
    return true;
  };
  await assertSecondFactor(call, { userId, reason: 'INVALID_RECOVERY_CODE', spend, spendAttempt }, { learn, deps });
  return remaining;
}
