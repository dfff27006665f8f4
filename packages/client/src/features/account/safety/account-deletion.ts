import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';

/** The deletion of an account by its user. A snapshot. */
export interface AccountDeletion {
  /** When the account will be deleted; null when it will not. */
  readonly deletesAt: Date | null;
  /** The teams in which the user is the last administrator among several members. They need another one first. */
  readonly teamsWithoutSuccessor: readonly { readonly id: string; readonly displayName: string }[];
}

/** The deletion of the own account, at once or after the cooling-off period of the project. */
export interface AccountDeletionMethods {
  /** Whether the account will be deleted, and what must be done before. Not cached. */
  getAccountDeletion(): Promise<AccountDeletion>;
  /**
   * Deletes the account. In a project with a cooling-off period it is scheduled: all other sessions end, the user's API
   * keys stop working, and until then the user can sign in and keep the account.
   *
   * @returns when the account is deleted; null: it is, and the session has ended.
   * @throws `REAUTHENTICATION_REQUIRED`, and `LAST_TEAM_ADMIN` while a team needs another administrator.
   * @example
   * const deletesAt = await user.requestDeletion();
   */
  requestDeletion(): Promise<Date | null>;
  /** Cancels the scheduled deletion of the account. */
  cancelDeletion(): Promise<void>;
}

export function accountDeletion(ctx: Context<'client'>, session: Session): AccountDeletionMethods {
  return {
    async getAccountDeletion() {
      const { scheduled, teams_without_successor } = await ctx.call('GET /extensions/account-deletion', { session });
      return Object.freeze({
        deletesAt: scheduled && new Date(scheduled.deletes_at_millis),
        teamsWithoutSuccessor: teams_without_successor.map(({ id, display_name }) =>
          Object.freeze({ id, displayName: display_name }),
        ),
      });
    },
    async requestDeletion() {
      const { deletes_at_millis } = await ctx.call('POST /extensions/account-deletion', { session });
      if (deletes_at_millis !== null) return new Date(deletes_at_millis);
      session.markInvalid();
      return null;
    },
    async cancelDeletion() {
      await ctx.call('DELETE /extensions/account-deletion', { session });
    },
  };
}
