import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';
import { lazily } from '../../../util/once.ts';

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

const names: Record<keyof AccountDeletionMethods, true> = {
  getAccountDeletion: true,
  requestDeletion: true,
  cancelDeletion: true,
};

export function accountDeletion(ctx: Context<'client'>, session: Session): AccountDeletionMethods {
  return lazily(names, async () => (await import('./account-deletion-flow.ts')).accountDeletionFlow(ctx, session));
}
