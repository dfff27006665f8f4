import type { Context } from '../../app/context.ts';
import type { Caught } from '../../errors/known-errors.ts';
import { resultOf } from '../../errors/known-result.ts';
import type { Result } from '../../errors/result.ts';
import { callbackUrl as callbackUrlFor } from '../../navigation/callback-url.ts';

/** Verification of email addresses. */
export interface EmailVerificationMethods {
  /**
   * Verifies the address of an emailed code, and uses the code up. It needs no session. The signed-in user is fetched
   * again afterwards.
   *
   * @throws when the server cannot be reached, or the code is malformed.
   */
  verifyEmail(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;

  /**
   * Sends the signed-in user another email that verifies the primary address, with a link and a code.
   *
   * @returns the nonce: the code for `verifyEmail` is the six characters of the email, followed by it.
   * @throws when the address is verified already, or the server cannot be reached.
   * @example
   * const nonce = await app.sendVerificationCode();
   * await app.verifyEmail(typed + nonce);
   */
  sendVerificationCode(options?: {
    /** Target of the link in the email. Default: `urls.emailVerification`; required on a server. */
    callbackUrl?: string | undefined;
  }): Promise<string>;
}

export function emailVerificationFlow(ctx: Context<'client'>): EmailVerificationMethods {
  async function verify(code: string): Promise<undefined> {
    await ctx.call('POST /contact-channels/verify', { body: { code }, session: null });
  }

  async function renew(): Promise<void> {
    const session = await ctx.sessions.of();
    const { renew } = ctx.resources;
    await Promise.all([renew('user', session), renew('contactChannels', session), renew('contactChannels', null)]);
  }

  return {
    async verifyEmail(code) {
      const result = await resultOf(verify(code), ['VERIFICATION_ERROR']);
      // After a refusal too: another tab may have used the code.
      if (ctx.config.tokenStore !== null) await renew();
      return result;
    },

    async sendVerificationCode({ callbackUrl = callbackUrlFor(ctx, 'emailVerification', 'callbackUrl') } = {}) {
      const session = await ctx.sessions.of();
      const body = { callback_url: callbackUrl };
      return (await ctx.call('POST /extensions/email-verification/send-code', { body, session })).nonce;
    },
  };
}
