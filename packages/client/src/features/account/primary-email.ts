import type { Context } from '../../app/context.ts';
import { defect } from '../../errors/defect.ts';
import type { Caught } from '../../errors/known-errors.ts';
import { errorOf } from '../../errors/known-result.ts';
import { callbackUrl as callbackUrlFor } from '../../navigation/callback-url.ts';
import type { Session } from '../../session/session.ts';

/** The user's primary email address. */
export interface PrimaryEmailMethods {
  /**
   * Sends an email that verifies the primary email address.
   *
   * @deprecated Contact channels have the same.
   * @returns the error when it is verified already, else undefined.
   * @throws when the user has no primary email address.
   */
  sendVerificationEmail(options?: {
    /** Target of the link. Default: `urls.emailVerification`; required outside a browser. */
    callbackUrl?: string | undefined;
  }): Promise<Caught<'EMAIL_ALREADY_VERIFIED'> | undefined>;
}

export function primaryEmail(ctx: Context<'client'>, session: Session, email: string | null): PrimaryEmailMethods {
  async function send(callbackUrl: string | undefined): Promise<void> {
    if (email === null) throw defect('The user has no primary email address to verify.');
    const callback_url = callbackUrl ?? callbackUrlFor(ctx, 'emailVerification', 'callbackUrl');
    await ctx.call('POST /contact-channels/send-verification-code', { body: { email, callback_url }, session });
  }

  return {
    sendVerificationEmail: ({ callbackUrl } = {}) => errorOf(send(callbackUrl), ['EMAIL_ALREADY_VERIFIED']),
  };
}
