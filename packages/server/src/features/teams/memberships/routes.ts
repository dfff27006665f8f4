import { fail, teamMembershipEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { holdCaller } from '../../accounts/users/index.ts';
import type { PermissionDefinitions } from '../../permissions/index.ts';
import { assertClientMay, failNoMember, holdClientMay, normalizeTeamId, requesterOf } from '../access.ts';
import { addMember, removeMember } from './changes.ts';
import { getRemovalNeed } from './rules.ts';

interface MembershipRoutesDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly permissionDefinitions: PermissionDefinitions;
}

export function teamMembershipRoutes(deps: MembershipRoutesDeps): BoundRoute[] {
  return [
    bind(teamMembershipEndpoints.create, async call => {
      const { project, params, targetUserId: userId } = call;
      const teamId = normalizeTeamId(params.team_id);
      const nowMillis = deps.clock.now();
      const isNew = await transaction(deps.db, async tx => {
        await holdCaller(tx, call, deps);
        return addMember(tx, project, { teamId, userId, nowMillis });
      });
      return isNew ? { team_id: teamId, user_id: userId } : fail('TEAM_MEMBERSHIP_ALREADY_EXISTS');
    }),

    bind(teamMembershipEndpoints.delete, async call => {
      const projectId = call.project.id;
      const teamId = normalizeTeamId(call.params.team_id);
      const userId = call.targetUserId;
      const need = getRemovalNeed(userId, requesterOf(call));
      if (need !== undefined) await assertClientMay(deps, call, teamId, need);
      const nowMillis = deps.clock.now();
      const removal = { teamId, userId, removedBy: call.user?.id, nowMillis };
      const wasMember = await transaction(deps.db, async tx => {
        await (need === undefined ? holdCaller(tx, call, deps) : holdClientMay(tx, call, { teamId, need }, deps));
        return removeMember(tx, projectId, removal);
      });
      return wasMember ? ({ success: true } as const) : failNoMember(deps.db, projectId, { teamId, userId });
    }),
  ];
}
