import type { Context } from '../../../app/context.ts';
import { resultOf } from '../../../errors/known-result.ts';
import type { Session } from '../../../session/session.ts';
import { promptForPasskey } from '../../sign-in/passkey/passkey-ceremony.ts';
import type { ReauthenticationMethods, ReauthenticationProof } from './reauthentication.ts';

export function reauthenticationFlow(ctx: Context<'client'>, session: Session): ReauthenticationMethods {
  async function prove(proof: ReauthenticationProof): Promise<undefined> {
    const { recoveryCode, ...rest } = proof;
    const secondFactor = recoveryCode === undefined ? {} : { recovery_code: recoveryCode };
    const first = 'passkey' in rest ? { ...rest, passkey: await promptForPasskey(ctx, 'reauthenticate') } : rest;
    await ctx.call('POST /extensions/reauthentication', { body: { ...first, ...secondFactor }, session });
  }

  return {
    async getReauthenticationMethods() {
      const { methods } = await ctx.call('GET /extensions/reauthentication', { session });
      return methods.map(({ method, needs_totp }) => Object.freeze({ method, needsTotp: needs_totp }));
    },
    async sendReauthenticationCode() {
      return (await ctx.call('POST /extensions/reauthentication/send-code', { session })).nonce;
    },
    reauthenticate: proof =>
      resultOf(prove(proof), [
        'PASSWORD_CONFIRMATION_MISMATCH',
        'VERIFICATION_ERROR',
        'INVALID_TOTP_CODE',
        'INVALID_RECOVERY_CODE',
        'PASSKEY_AUTHENTICATION_FAILED',
        'PASSKEY_WEBAUTHN_ERROR',
      ]),
  };
}
