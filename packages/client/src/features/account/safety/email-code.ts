import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';
import type { EmailCodeState } from '../../admin/user-administration.ts';

/** Sign-in with an emailed code, as far as it is not a field of the user. Not cached. */
export interface EmailCodeMethods {
  /**
   * What a request for an emailed code does for the user, while the project has the method. A verified address signs in with a
   * code before `otpAuthEnabled` is true (`first_use`), unless codes were turned off (`refused`).
   *
   * @example
   * if ((await user.getEmailCodeState()) === 'first_use') await user.update({ otpAuthEnabled: false });
   */
  getEmailCodeState(): Promise<EmailCodeState>;
}

export function emailCode(ctx: Context<'client'>, session: Session): EmailCodeMethods {
  return { getEmailCodeState: async () => (await ctx.call('GET /extensions/email-code', { session })).state };
}
