import { fail, type reauthenticationEndpoints } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import type { Passwords } from '../../../platform/crypto/passwords.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { checkCode, spendCode } from '../../verification-codes/index.ts';
import type { Learn } from '../attempts.ts';
import { assertOwnPassword } from '../own-password.ts';
import { assertPasswordsEnabled } from '../rules.ts';
import { assertRecoveryCode, type RecoveryCodeDeps } from '../second-factor/recovery-codes.ts';
import { assertTotp, type SpendAttempt } from '../second-factor/totp.ts';
import { selectPassword } from '../store.ts';

export type ProofDeps = RecoveryCodeDeps & { readonly passwords: Passwords };

export type ProveCall = Call<typeof reauthenticationEndpoints.prove>;

interface Proving {
  readonly learn: Learn;
  readonly deps: ProofDeps;
}

/**
 * Verifies the password, then the second factor.
 *
 * @throws PASSWORD_CONFIRMATION_MISMATCH, PASSWORD_AUTHENTICATION_NOT_ENABLED, USER_DOES_NOT_HAVE_PASSWORD,
 * INVALID_TOTP_CODE, INVALID_RECOVERY_CODE
 */
export async function provePassword(call: ProveCall, password: string, proving: Proving): Promise<void> {
  const { project, user, source } = call;
  const { deps } = proving;
  assertPasswordsEnabled(project.config);
  const subject = { projectId: project.id, userId: user.id, block: source.block, nowMillis: deps.clock.now() };
  const { passwordHash, isKnownSource } = await selectPassword(deps.db, subject);
  if (passwordHash === null) fail('USER_DOES_NOT_HAVE_PASSWORD');
  await assertOwnPassword(call, { password, passwordHash, isKnownSource }, deps);
  await proveSecondFactor(call, proving);
}

/**
 * Verifies the second factor, and uses up the emailed code.
 *
 * @throws the codes of the family VERIFICATION_ERROR, INVALID_TOTP_CODE, INVALID_RECOVERY_CODE
 */
export async function proveCode(call: ProveCall, code: string, proving: Proving): Promise<void> {
  const { project, user } = call;
  const { deps } = proving;
  const emailed = await checkCode({ projectId: project.id, kind: 'reauthentication', code, by: call }, deps);
  // A code proves the identity of the user that it was sent to, and of no other.
  if (emailed.userId !== user.id) fail('VERIFICATION_CODE_NOT_FOUND');
  // The owner may have changed the address because another person reads its mailbox.
  if (emailed.address !== user.primaryEmail) fail('VERIFICATION_CODE_NOT_FOUND');
  const spendAttempt = (db: Queryable) => spendCode(db, project.id, emailed, deps);
  if (user.requiresTotpMfa) await proveSecondFactor(call, proving, spendAttempt);
  else await spendAttempt(deps.db);
}

/**
 * Verifies a TOTP code, or uses up a recovery code.
 *
 * @throws INVALID_RECOVERY_CODE, or INVALID_TOTP_CODE, also when two-step verification is on and neither was sent
 */
export async function proveSecondFactor(call: ProveCall, proving: Proving, spendAttempt?: SpendAttempt): Promise<void> {
  const { user, body } = call;
  if (!user.requiresTotpMfa) return;
  const { totp = '', recovery_code: recoveryCode } = body;
  if (recoveryCode === undefined) await assertTotp(call, { userId: user.id, totp, spendAttempt }, proving);
  else await assertRecoveryCode(call, { userId: user.id, recoveryCode, spendAttempt }, proving);
}
