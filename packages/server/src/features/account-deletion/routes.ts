import {
  type AccessLevel,
  accountDeletionEndpoints,
  fail,
  userDeletionEndpoints,
  userEndpoints,
} from '@tessera/protocol';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import { transaction } from '../../platform/database/database.ts';
import { clientWriteUses, type RateLimits } from '../../platform/rate-limits/index.ts';
import { assertFreshSession, assertSessionMayReauthenticate, removeUser, selectUser } from '../accounts/users/index.ts';
import { auditedBy } from '../audit/index.ts';
import { selectTeamsWithoutSuccessor } from '../teams/index.ts';
import { type AccountDeletionDeps, cancelDeletion, requestDeletion } from './deletion.ts';
import { selectScheduledDeletion } from './store.ts';
import { scheduledView, teamsView } from './wire.ts';

type AccountDeletionRoutesDeps = AccountDeletionDeps & { readonly rateLimits: RateLimits };

/** docs/contract/decisions.md#account-deletion: users delete their own account, and keep it while they can. */
export function accountDeletionRoutes(deps: AccountDeletionRoutesDeps): BoundRoute[] {
  return [
    bind(userEndpoints.deleteMe, async call => {
      const { level, project, sessionId } = call;
      assertMayDelete(call);
      const user = call.user ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
      if (level === 'client') {
        await assertFreshSession(call, deps);
        await deps.rateLimits.spend(clientWriteUses(call));
        await requestDeletion({ ...call, level, project, user, sessionId }, deps);
      } else {
        await transaction(deps.db, tx => removeUser(tx, auditedBy(call), user.id, deps));
      }
      return { success: true } as const;
    }),

    bind(accountDeletionEndpoints.read, async ({ project, user }) => ({
      scheduled: scheduledView(await selectScheduledDeletion(deps.db, { projectId: project.id, userId: user.id })),
      teams_without_successor: teamsView(await selectTeamsWithoutSuccessor(deps.db, project, user.id)),
    })),

    bind(accountDeletionEndpoints.request, async call => {
      assertMayDelete(call);
      await assertFreshSession(call, deps);
      await deps.rateLimits.spend(clientWriteUses(call));
      const [team] = await selectTeamsWithoutSuccessor(deps.db, call.project, call.user.id);
      if (team !== undefined) fail('LAST_TEAM_ADMIN', { team_id: team.id, user_id: call.user.id });
      return { deletes_at_millis: await requestDeletion(call, deps) };
    }),

    bind(accountDeletionEndpoints.cancel, async call => {
      await assertSessionMayReauthenticate(call, deps);
      await deps.rateLimits.spend(clientWriteUses(call));
      const isThere = await cancelDeletion({ projectId: call.project.id, userId: call.user.id }, call, deps);
      return isThere ? ({ success: true } as const) : fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
    }),

    bind(userDeletionEndpoints.read, async ({ project, params }) => {
      const id = { projectId: project.id, userId: params.user_id };
      if ((await selectUser(deps.db, project.id, id.userId)) === null) fail('USER_NOT_FOUND');
      return { scheduled: scheduledView(await selectScheduledDeletion(deps.db, id)) };
    }),

    bind(userDeletionEndpoints.cancel, async call => {
      const isThere = await cancelDeletion({ projectId: call.project.id, userId: call.params.user_id }, call, deps);
      return isThere ? ({ success: true } as const) : fail('USER_NOT_FOUND');
    }),
  ];
}

interface Deleting {
  readonly level: AccessLevel;
  readonly project: { readonly config: { readonly clientUserDeletionEnabled: boolean } };
}

function assertMayDelete({ level, project }: Deleting): void {
  if (level === 'client' && !project.config.clientUserDeletionEnabled) {
    refuse(400, 'Users of this project cannot delete their accounts themselves.');
  }
}
