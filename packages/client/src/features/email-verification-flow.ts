import type { Context } from '../context.ts';
import { resultOf } from '../known-result.ts';
import type { EmailVerificationMethods } from './email-verification.ts';

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
