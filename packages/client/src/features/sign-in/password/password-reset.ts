import type { Context } from '../../../app/context.ts';
import type { Caught } from '../../../errors/known-errors.ts';
import { resultOf } from '../../../errors/known-result.ts';
import type { Result } from '../../../errors/result.ts';
import { callbackUrl as callbackUrlFor } from '../../../navigation/callback-url.ts';

/** Password reset by email. */
export interface PasswordResetMethods {
  /**
   * Sends a mail with a link, if there is an account with this address. The answer is the same if there is none, so the
   * error does not occur in practice.
   *
   * @throws when the project does not offer passwords or does not trust the address of the page, or the server cannot
   *   be reached.
   */
  sendForgotPasswordEmail(
    email: string,
    options?: {
      /** Where the link leads. Default: `urls.passwordReset`; needed on a server. */
      callbackUrl?: string | undefined;
    },
  ): Promise<Result<undefined, Caught<'USER_NOT_FOUND'>>>;

  /**
   * Sets another password with the code of the link, and uses the code up. All sessions of the user end.
   *
   * @throws when the password does not fit the rules (the code is used up all the same), or the server cannot be
   *   reached.
   */
  resetPassword(options: { code: string; password: string }): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;

  /** Looks whether a code is good, without using it up. @throws when the server cannot be reached. */
  verifyPasswordResetCode(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;
}

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
