import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';
import type { AccountDeletionMethods } from './account-deletion.ts';

export function accountDeletionFlow(ctx: Context<'client'>, session: Session): AccountDeletionMethods {
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
