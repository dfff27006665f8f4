import type { Context } from '../context.ts';
import type { Caught } from '../known-errors.ts';
import type { Result } from '../result.ts';
import type { Session } from '../session/session.ts';

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

export function emailVerification(
  ctx: Context<'client'>,
  refreshUser: (session: Session) => Promise<unknown>,
): { methods: EmailVerificationMethods } {
  // In a chunk of its own: only the page that the e-mail leads to needs it.
  const flow = () => import('./email-verification-flow.ts');
  return {
    methods: {
      verifyEmail: async code => (await flow()).verifyEmail(ctx, code, refreshUser),
    },
  };
}
