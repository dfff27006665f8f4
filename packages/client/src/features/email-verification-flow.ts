import type { Context } from '../context.ts';
import { resultOf } from '../result.ts';
import type { Session } from '../session/session.ts';
import type { EmailVerificationMethods } from './email-verification.ts';

export async function verifyEmail(
  ctx: Context<'client'>,
  code: string,
  refreshUser: (session: Session) => Promise<unknown>,
): ReturnType<EmailVerificationMethods['verifyEmail']> {
  const session = ctx.config.tokenStore === null ? null : ctx.sessions.of();
  const result = await resultOf(verify(ctx, code), ['VERIFICATION_ERROR']);
  // After a refusal too: a code that is used up may have been used in another tab.
  if (session !== null) await refreshUser(session);
  return result;
}

async function verify(ctx: Context<'client'>, code: string): Promise<void> {
  await ctx.call('POST /contact-channels/verify', { body: { code }, session: null });
}
