import { fail, projectPermissionEndpoints, teamPermissionEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind, StreamedList } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { lockUser } from '../../accounts/users/row/index.ts';
import { publishEvent } from '../../webhooks/events/index.ts';
import type { PermissionDefinitions } from '../definitions/definitions.ts';
import { type GrantList, type GrantListing, listGrants } from '../resolve.ts';
import { assertGrantable, assertMayList } from '../rules.ts';
import { lockScope } from '../store.ts';
import { toProjectGrant, toTeamGrant } from '../wire.ts';
import { grantProjectPermissions, revokeProjectPermission, selectProjectGrants } from './project-store.ts';
import { grantTeamPermissions, lockMember, type Member, revokeTeamPermission, selectTeamGrants } from './team-store.ts';

export interface GrantRoutesDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly permissionDefinitions: PermissionDefinitions;
}

const success = { success: true } as const;

/** docs/contract/permissions.md#grants: grants in teams. */
export function teamGrantRoutes(deps: GrantRoutesDeps): BoundRoute[] {
  return [
    bind(teamPermissionEndpoints.list, async call => {
      const { query, project, targetUserId: userId } = call;
      assertMayList({ level: call.level, userId: call.user?.id }, userId);
      const listing = toListing(query);
      const { permissionDefinitions } = deps;
      // Stored ids are in lower case.
      const teamId = query.team_id?.toLowerCase();
      const { rows, definitions } =
        teamId !== undefined && userId !== undefined
          ? await permissionDefinitions.readMember(project.id, { teamId, userId })
          : await permissionDefinitions.readWith(project.id, () =>
              selectTeamGrants(deps.db.reads, project.id, { teamId, userId, permissionId: directOnly(listing) }),
            );
      const list = listGrants(rows, definitions.team, listing, ({ teamId, userId }, permissionId) =>
        toTeamGrant({ teamId, userId, permissionId }),
      );
      return answerWith(list, userId);
    }),

    bind(teamPermissionEndpoints.grant, async call => {
      const { project, params } = call;
      const asked = { teamId: params.team_id.toLowerCase(), userId: call.targetUserId };
      const permissionId = params.permission_id;
      const nowMillis = deps.clock.now();
      return transaction(deps.db, async tx => {
        await lockMemberOrFail(tx, project.id, asked);
        assertGrantable(permissionId, 'team', await lockScope(tx, project.id, permissionId));
        await grantTeamPermissions(tx, project.id, { ...asked, permissionIds: [permissionId] });
        const data = toTeamGrant({ ...asked, permissionId });
        await publishEvent(tx, { projectId: project.id, type: 'team_permission.created', data, nowMillis });
        return data;
      });
    }),

    bind(teamPermissionEndpoints.revoke, async call => {
      const { project, params } = call;
      const asked = { teamId: params.team_id.toLowerCase(), userId: call.targetUserId };
      const grant = { ...asked, permissionId: params.permission_id };
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        await lockMemberOrFail(tx, project.id, asked);
        const data = toTeamGrant(grant);
        if (!(await revokeTeamPermission(tx, project.id, grant))) {
          const { id: permission_id, team_id, user_id } = data;
          fail('TEAM_PERMISSION_NOT_FOUND', { team_id, user_id, permission_id });
        }
        await publishEvent(tx, { projectId: project.id, type: 'team_permission.deleted', data, nowMillis });
      });
      return success;
    }),
  ];
}

/** docs/contract/permissions.md#grants: grants in the project. */
export function projectGrantRoutes(deps: GrantRoutesDeps): BoundRoute[] {
  return [
    bind(projectPermissionEndpoints.list, async call => {
      const { query, project, targetUserId: userId } = call;
      assertMayList({ level: call.level, userId: call.user?.id }, userId);
      const listing = toListing(query);
      const { rows, definitions } = await deps.permissionDefinitions.readWith(project.id, () =>
        selectProjectGrants(deps.db.reads, project.id, { userId, permissionId: directOnly(listing) }),
      );
      const list = listGrants(rows, definitions.project, listing, (holder, permissionId) =>
        toProjectGrant({ userId: holder.userId, permissionId }),
      );
      return answerWith(list, userId);
    }),

    bind(projectPermissionEndpoints.grant, async call => {
      const { project, params, targetUserId: userId } = call;
      const permissionId = params.permission_id;
      const nowMillis = deps.clock.now();
      return transaction(deps.db, async tx => {
        if (!(await lockUser(tx, { projectId: project.id, userId }, 'hold'))) fail('USER_NOT_FOUND');
        assertGrantable(permissionId, 'project', await lockScope(tx, project.id, permissionId));
        await grantProjectPermissions(tx, project.id, { userId, permissionIds: [permissionId] });
        const data = toProjectGrant({ userId, permissionId });
        await publishEvent(tx, { projectId: project.id, type: 'project_permission.created', data, nowMillis });
        return data;
      });
    }),

    bind(projectPermissionEndpoints.revoke, async call => {
      const { project, params } = call;
      const grant = { userId: call.targetUserId, permissionId: params.permission_id };
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        if (!(await lockUser(tx, { projectId: project.id, userId: grant.userId }, 'hold'))) fail('USER_NOT_FOUND');
        if (!(await revokeProjectPermission(tx, project.id, grant))) {
          fail('PERMISSION_NOT_FOUND', { permission_id: grant.permissionId });
        }
        const data = toProjectGrant(grant);
        await publishEvent(tx, { projectId: project.id, type: 'project_permission.deleted', data, nowMillis });
      });
      return success;
    }),
  ];
}

/** A list with more entries is generated while it is sent. */
const entriesAtOnce = 1_000;

/**
 * The permissions of one user in thousands of teams are megabytes of JSON, which would keep the process from other requests
 * for a second. The grants of all users stay in memory until the end of a streamed answer, so their list is not streamed.
 * Control 102.
 */
function answerWith<Entry extends object>(list: GrantList<Entry>, userId: string | undefined) {
  if (userId !== undefined && list.size > entriesAtOnce) return new StreamedList(list);
  return { items: [...list], is_paginated: false } as const;
}

function toListing(query: { recursive?: boolean | undefined; permission_id?: string | undefined }): GrantListing {
  return { isRecursive: query.recursive ?? false, permissionId: query.permission_id };
}

/** The filter for the query: only a direct listing is filtered in SQL, since any grant can contain the permission. */
function directOnly({ isRecursive, permissionId }: GrantListing): string | undefined {
  return isRecursive ? undefined : permissionId;
}

/** @throws USER_NOT_FOUND, TEAM_MEMBERSHIP_NOT_FOUND */
async function lockMemberOrFail(tx: Transaction, projectId: string, { teamId, userId }: Member): Promise<void> {
  if (await lockMember(tx, projectId, { teamId, userId })) return;
  if (!(await lockUser(tx, { projectId, userId }, 'hold'))) fail('USER_NOT_FOUND');
  fail('TEAM_MEMBERSHIP_NOT_FOUND', { team_id: teamId, user_id: userId });
}
