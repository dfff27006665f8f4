import type { Context } from '../../app/context.ts';
import type { Caught } from '../../errors/known-errors.ts';
import { resultOf } from '../../errors/known-result.ts';
import type { Result } from '../../errors/result.ts';

/** Verifying e-mail addresses. */
export interface EmailVerificationMethods {
  /**
   * Verifies the address that a code was sent to, and uses the code up. Nobody needs to be signed in; whoever is, is
   * fetched again afterwards.
   *
   * @throws when the server cannot be reached, or the code is not one in form.
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
      // After a refusal too: a code that is used up may have been used in another tab.
      if (ctx.config.tokenStore !== null) await renew();
      return result;
    },
  };
}
