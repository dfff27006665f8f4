import { callbackUrl as callbackUrlFor } from '../callback-url.ts';
import type { Context } from '../context.ts';
import { resultOf } from '../known-result.ts';
import type { PasswordResetMethods } from './password-reset.ts';

export function passwordResetFlow(ctx: Context<'client'>): PasswordResetMethods {
  async function send(email: string, callbackUrl: string | undefined): Promise<undefined> {
    const callback_url = callbackUrl ?? callbackUrlFor(ctx, 'passwordReset', 'callbackUrl');
    await ctx.call('POST /auth/password/send-reset-code', { body: { email, callback_url }, session: null });
  }

  async function reset(body: { code: string; password: string }): Promise<undefined> {
    await ctx.call('POST /auth/password/reset', { body, session: null });
  }

  async function check(code: string): Promise<undefined> {
    await ctx.call('POST /auth/password/reset/check-code', { body: { code }, session: null });
  }

  return {
    sendForgotPasswordEmail: (email, { callbackUrl } = {}) => resultOf(send(email, callbackUrl), ['USER_NOT_FOUND']),
    resetPassword: ({ code, password }) => resultOf(reset({ code, password }), ['VERIFICATION_ERROR']),
    verifyPasswordResetCode: code => resultOf(check(code), ['VERIFICATION_ERROR']),
  };
}
