import type { Context } from '../../app/context.ts';
import type { Caught } from '../../errors/known-errors.ts';
import { resultOf } from '../../errors/known-result.ts';
import type { Result } from '../../errors/result.ts';

/** Verification of email addresses. */
export interface EmailVerificationMethods {
  /**
   * Verifies the address of an emailed code, and uses the code up. It needs no session. The signed-in user is fetched
   * again afterwards.
   *
   * @throws when the server cannot be reached, or the code is malformed.
   */
  verifyEmail(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;
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
  };
}
