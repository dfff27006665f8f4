import type { Context } from '../../../app/context.ts';
import type { Caught } from '../../../errors/known-errors.ts';
import { errorOf } from '../../../errors/known-result.ts';
import type { Session } from '../../../session/session.ts';

/** The user's own password. */
export interface PasswordChangeMethods {
  /**
   * Changes the password. All other sessions of the user end.
   *
   * @returns the error when the old password is wrong or the new one does not fit the rules, else undefined.
   * @throws when the user has no password.
   */
  updatePassword(options: {
    oldPassword: string;
    newPassword: string;
  }): Promise<Caught<'PASSWORD_CONFIRMATION_MISMATCH'> | Caught<'PASSWORD_REQUIREMENTS_NOT_MET'> | undefined>;

  /**
   * Gives a user who has no password a first one. Servers may also replace one, which ends all sessions of the user.
   *
   * @returns the error when the password does not fit the rules, else undefined.
   * @throws when a signed-in user has a password already.
   */
  setPassword(options: { password: string }): Promise<Caught<'PASSWORD_REQUIREMENTS_NOT_MET'> | undefined>;
}

export function passwordChange(ctx: Context<'client'>, session: Session): PasswordChangeMethods {
  async function update(old_password: string, new_password: string): Promise<void> {
    await ctx.call('POST /auth/password/update', { body: { old_password, new_password }, session });
    await ctx.resources.renew('user', session);
  }

  async function set(password: string): Promise<void> {
    await ctx.call('POST /auth/password/set', { body: { password }, session });
    await ctx.resources.renew('user', session);
  }

  return {
    updatePassword: ({ oldPassword, newPassword }) =>
      errorOf(update(oldPassword, newPassword), ['PASSWORD_CONFIRMATION_MISMATCH', 'PASSWORD_REQUIREMENTS_NOT_MET']),
    setPassword: ({ password }) => errorOf(set(password), ['PASSWORD_REQUIREMENTS_NOT_MET']),
  };
}
