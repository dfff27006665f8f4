import { fail } from '@tessera/protocol';
import { Secret, TOTP } from 'otpauth';
import type { AuditedCall } from '../../../core/audit-event.ts';
import type { Project } from '../../../core/project.ts';
import type { RequestSource } from '../../../core/request-source.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { failedSignInUses, type RateLimits, unknownBlockUses } from '../../../platform/rate-limits/index.ts';
import { spendTotpStep, totpSecretPurpose } from '../../accounts/users/index.ts';
import type { Learn } from '../attempts.ts';
import { selectTotpFactor, type TotpFactor } from '../store.ts';

export interface TotpDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly rateLimits: RateLimits;
}

const periodSeconds = 30;
/** The previous and the next step are accepted too: clocks differ, and users type slowly. */
const window = 1;
/** The library compares bytes, and throws on characters of more than one byte. */
const sixDigits = /^[0-9]{6}$/;

/** The caller who presents a second factor. */
export type SecondFactorCall = AuditedCall & { readonly project: Project; readonly source: RequestSource };

/** A second factor of a user, and the reason that the audit log records when it is wrong. */
interface SecondFactorCheck {
  readonly userId: string;
  readonly reason: 'INVALID_TOTP_CODE' | 'INVALID_RECOVERY_CODE';
  /** Whether the presented code is right; it is spent then. */
  readonly spend: (tx: Transaction, factor: TotpFactor, nowMillis: number) => Promise<boolean>;
  readonly spendAttempt?: SpendAttempt | undefined;
}

/**
 * Spends the one-time code that the second factor is presented with, in the transaction that spends the factor: of
 * concurrent requests with one such code, only one spends a factor. It throws for the others.
 */
export type SpendAttempt = (tx: Transaction) => Promise<void>;

interface Checking {
  readonly learn: Learn;
  readonly deps: TotpDeps;
}

/**
 * Checks a second factor within its limits. A wrong one counts for the account and the address block. Few checks of an
 * account run at once: of a burst over many attempts all would find the limit unused otherwise.
 *
 * @throws the reason of the check, or LimitReached
 */
export function assertSecondFactor(
  call: SecondFactorCall,
  check: SecondFactorCheck,
  checking: Checking,
): Promise<void> {
  const [perAccount] = failedSignInUses(call, check.userId);
  return checking.deps.rateLimits.limitConcurrency(perAccount, () => checkSecondFactor(call, check, checking));
}

async function checkSecondFactor(
  call: SecondFactorCall,
  { userId, reason, spend, spendAttempt }: SecondFactorCheck,
  { learn, deps }: Checking,
): Promise<void> {
  const { id: projectId } = call.project;
  const nowMillis = deps.clock.now();
  const factor = await selectTotpFactor(deps.db, { projectId, userId, block: call.source.block, nowMillis });
  const narrow = failedSignInUses(call, userId);
  const accountWide = factor.isKnownSource
    ? []
    : unknownBlockUses(call, userId, 'failedSecondFactorsFromUnknownBlocks');
  await deps.rateLimits.assertLeft(narrow);
  if (factor.secret === null) fail(reason);
  const isRight = () =>
    transaction(deps.db, async tx => {
      if (!(await spend(tx, factor, nowMillis))) return false;
      await spendAttempt?.(tx);
      return true;
    });
  if (await deps.rateLimits.guess(accountWide, isRight)) return;

  // Recorded before `spend`, which may refuse the request with a rate limit.
  learn({ reason });
  await deps.rateLimits.spend(narrow);
  // A caller who guesses here knows the password. Wrong codes count for the address, so new attempts are limited too.
  if (factor.address !== null) await deps.rateLimits.spend(failedSignInUses(call, factor.address).slice(0, 1));
  fail(reason);
}

/** @throws INVALID_TOTP_CODE for a wrong or used code, and when the second factor has been switched off */
export function assertTotp(
  call: SecondFactorCall,
  { userId, totp, spendAttempt }: { userId: string; totp: string; spendAttempt?: SpendAttempt | undefined },
  { learn, deps }: { learn: Learn; deps: TotpDeps },
): Promise<void> {
  const spend = async (tx: Transaction, { secret }: TotpFactor, nowMillis: number) => {
    if (secret === null) return false;
    const step = findAcceptedStep(deps.secrets.decrypt(totpSecretPurpose, secret), totp, nowMillis);
    return step !== undefined && (await spendTotpStep(tx, { projectId: call.project.id, userId }, { secret, step }));
  };
  return assertSecondFactor(call, { userId, reason: 'INVALID_TOTP_CODE', spend, spendAttempt }, { learn, deps });
}

/** The step of an accepted code; undefined for a wrong code (control 62). */
export function findAcceptedStep(secret: Uint8Array, token: string, nowMillis: number): number | undefined {
  if (!sixDigits.test(token)) return undefined;
  const totp = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }), period: periodSeconds });
  const delta = totp.validate({ token, timestamp: nowMillis, window });
  return delta === null ? undefined : Math.floor(nowMillis / 1000 / periodSeconds) + delta;
}
