import { fail, mfaEndpoints } from '@tessera/protocol';
import { Secret, TOTP } from 'otpauth';
import type { Deps } from '../../../deps.ts';
import { type BoundRoute, bind, type Call } from '../../../http/bind.ts';
import { transaction } from '../../../platform/database/database.ts';
import { failedSignInUses, unknownBlockUses } from '../../../platform/rate-limits/index.ts';
import { totpSecretPurpose } from '../../accounts/users/index.ts';
import { sessionTermsOf } from '../../sessions/index.ts';
import { type CheckedCode, hasCode, redeemCode } from '../../verification-codes/index.ts';
import { auditedSignIn, type Learn } from '../attempts.ts';
import { startSession } from '../finish.ts';
import { lockFactors, selectTotpFactor, spendTotpStep } from '../store.ts';

type MfaCall = Call<typeof mfaEndpoints.signIn>;

const periodSeconds = 30;
/** The previous and the next step are accepted too: clocks differ, and users type slowly. */
const window = 1;
/** The library compares bytes, and throws on characters of more than one byte. */
const sixDigits = /^[0-9]{6}$/;

/** docs/contract/sign-in-methods.md#totp (RFC 6238, SHA-1, six digits) */
export function mfaRoutes(deps: Deps): BoundRoute[] {
  return [bind(mfaEndpoints.signIn, call => auditedSignIn(call, 'totp', learn => signIn(call, learn), deps))];

  async function signIn(call: MfaCall, learn: Learn) {
    const { body, project, request, source } = call;
    const presented = { projectId: project.id, kind: 'mfa_attempt', code: body.code, by: call } as const;
    const attempt = await redeemCode(presented, deps, code => assertTotp(call, code, learn));
    const userId = attempt.userId ?? fail('VERIFICATION_CODE_NOT_FOUND');
    const { isNewUser } = attempt.data;
    const terms = await sessionTermsOf(project.id, deps);
    const passed = { projectId: project.id, userId, isNewUser, request, source, method: 'totp', terms };
    const tokens = await transaction(deps.db, async tx => {
      // A password change ends the attempts that began before it, also one that is being completed.
      const isOpen =
        (await lockFactors(tx, project.id, userId)) !== undefined && (await hasCode(tx, project.id, attempt.id));
      return isOpen ? startSession(tx, passed, deps) : fail('VERIFICATION_CODE_NOT_FOUND');
    });
    return { ...tokens, is_new_user: isNewUser };
  }

  /** @throws INVALID_TOTP_CODE for a wrong or used code, and when the second factor has been switched off */
  async function assertTotp(call: MfaCall, attempt: CheckedCode<'mfa_attempt'>, learn: Learn): Promise<void> {
    const { id: projectId } = call.project;
    const userId = attempt.userId ?? fail('VERIFICATION_CODE_NOT_FOUND');
    learn({ userId });
    const nowMillis = deps.clock.now();
    const factor = await selectTotpFactor(deps.db, { projectId, userId, block: call.source.block, nowMillis });
    const narrow = failedSignInUses(call, userId);
    const everywhere = unknownBlockUses(call, userId, 'failedSecondFactorsFromUnknownBlocks');
    const uses = factor.isKnownSource ? narrow : [...narrow, ...everywhere];
    await deps.rateLimits.assertLeft(uses);
    if (factor.secret === null) fail('INVALID_TOTP_CODE');
    const secret = deps.secrets.decrypt(totpSecretPurpose, factor.secret);
    const step = findAcceptedStep(secret, call.body.totp, nowMillis);
    if (step !== undefined && (await spendTotpStep(deps.db, projectId, userId, step))) return;

    // Recorded before `spend`, which may refuse the request with a rate limit.
    learn({ reason: 'INVALID_TOTP_CODE' });
    await deps.rateLimits.spend(uses);
    // A caller who guesses here knows the password. Wrong codes count for the address, so new attempts are limited too.
    if (factor.address !== null) await deps.rateLimits.spend(failedSignInUses(call, factor.address).slice(0, 1));
    fail('INVALID_TOTP_CODE');
  }
}

/** The step of an accepted code; undefined for a wrong code (control 62). */
export function findAcceptedStep(secret: Uint8Array, token: string, nowMillis: number): number | undefined {
  if (!sixDigits.test(token)) return undefined;
  const totp = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }), period: periodSeconds });
  const delta = totp.validate({ token, timestamp: nowMillis, window });
  return delta === null ? undefined : Math.floor(nowMillis / 1000 / periodSeconds) + delta;
}
