import { fail, mfaEndpoints } from '@tessera/protocol';
import { Secret, TOTP } from 'otpauth';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { transaction } from '../../platform/db.ts';
import { type CheckedCode, redeemCode } from '../codes/index.ts';
import { signingKeysFor } from '../sessions/index.ts';
import { holdUser, totpSecretPurpose } from '../users/index.ts';
import { startSession } from './finish.ts';
import { selectTotpSecret, spendTotpStep } from './store.ts';

const periodSeconds = 30;
/** Clocks differ, and people type slowly: the step before and the one after count too. */
const window = 1;
/** The library compares bytes, and fails on letters that take more than one. */
const sixDigits = /^[0-9]{6}$/;

/** sign-in-methods.md 7 (RFC 6238, SHA-1, six digits) */
export function mfaRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(mfaEndpoints.signIn, async ({ body, project, request }) => {
      const presented = { projectId: project.id, kind: 'mfa_attempt', code: body.code } as const;
      const attempt = await redeemCode(presented, deps, code => assertTotp(project.id, code, body.totp));
      const userId = attempt.userId ?? fail('VERIFICATION_CODE_NOT_FOUND');
      const passed = { projectId: project.id, userId, request, signingKeys: await signingKeysFor(project.id, deps) };
      const tokens = await transaction(deps.db, async tx => {
        const isThere = await holdUser(tx, project.id, userId);
        return isThere ? startSession(tx, passed, deps) : fail('VERIFICATION_CODE_NOT_FOUND');
      });
      return { ...tokens, is_new_user: attempt.data.isNewUser };
    }),
  ];

  /** @throws INVALID_TOTP_CODE for a wrong one, one that was used, and when the second factor is off by now */
  async function assertTotp(projectId: string, attempt: CheckedCode<'mfa_attempt'>, token: string): Promise<void> {
    const userId = attempt.userId ?? fail('VERIFICATION_CODE_NOT_FOUND');
    const sealed = await selectTotpSecret(deps.db, projectId, userId);
    if (sealed === null) fail('INVALID_TOTP_CODE');
    const secret = deps.secrets.decrypt(totpSecretPurpose, sealed);
    const step = acceptedStep(secret, token, deps.clock.now());
    if (step === undefined || !(await spendTotpStep(deps.db, projectId, userId, step))) fail('INVALID_TOTP_CODE');
  }
}

/** The step that a code belongs to; undefined for one that is none of the accepted. */
export function acceptedStep(secret: Uint8Array, token: string, nowMillis: number): number | undefined {
  if (!sixDigits.test(token)) return undefined;
  const totp = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }), period: periodSeconds });
  const delta = totp.validate({ token, timestamp: nowMillis, window });
  return delta === null ? undefined : Math.floor(nowMillis / 1000 / periodSeconds) + delta;
}
