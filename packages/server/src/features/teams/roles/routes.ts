import { type SystemPermissionId, teamMembersPageDefault, teamRoleEndpoints } from '@tessera/protocol';
import { cursorOf, type PagePosition, positionOf } from '../../../core/page-cursor.ts';
import type { CallUser } from '../../../core/user.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { clientWriteUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { holdCaller, isMember, lockUser } from '../../accounts/users/index.ts';
import {
  holdDefinitions,
  type PermissionDefinitions,
  readTeamGrants,
  readTeamPermissions,
} from '../../permissions/index.ts';
import { deleteInvitations } from '../../verification-codes/index.ts';
import {
  assertMember,
  failNoMember,
  holdMember,
  normalizeTeamId,
  requireSignedIn,
  type TeamCaller,
} from '../access.ts';
import { removeMember } from '../memberships/changes.ts';
import type { Membership } from '../rules.ts';
import { applyGrants } from './changes.ts';
import { planRemoval, planRoleChange, rolesOf } from './rules.ts';
import { lockTeamRoles, type MemberRow, selectMembers } from './store.ts';
import { needsSuccessor } from './successors.ts';
import { memberView, rolesView } from './wire.ts';

interface RoleRoutesDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly permissionDefinitions: PermissionDefinitions;
  readonly rateLimits: RateLimits;
}

/** docs/contract/decisions.md#team-roles: the members of a team with their roles. */
export function teamRoleRoutes(deps: RoleRoutesDeps): BoundRoute[] {
  return [
    bind(teamRoleEndpoints.listMembers, async call => {
      const { project, query } = call;
      const user = requireSignedIn(call);
      const teamId = normalizeTeamId(call.params.team_id);
      await assertMember(deps, project.id, { teamId, userId: user.id }, ['$read_members']);
      const { limit = teamMembersPageDefault, cursor } = query;
      const at = cursor === undefined ? undefined : positionOf(cursor);
      const found = await selectMembers(deps.db.reads, project.id, { teamId, at, limit: limit + 1 });
      const shown = found.slice(0, limit);
      const userIds = [user.id, ...shown.map(({ userId }) => userId)];
      const facts = await readTeamGrants(deps.db, project.id, { teamId, userIds });
      const roles = rolesOf(project.config, facts.expand);
      const caller = { teamId, userId: user.id, roles, holding: facts.holding };
      const seesAddresses = facts.expand(facts.direct.get(user.id) ?? []).has('$remove_members');
      const next = found[limit];
      return {
        items: shown.map(row =>
          memberView(row, { roles, facts, seesAddress: seesAddresses || row.userId === user.id }),
        ),
        is_paginated: true,
        pagination: { next_cursor: next === undefined ? null : cursorOf(memberPosition(next)) },
        roles: rolesView(roles, { callerId: user.id, facts, descriptions: facts.descriptions }),
        needs_successor: await needsSuccessor(deps.db, project.id, caller),
      } as const;
    }),

    bind(teamRoleEndpoints.changeRole, async call => {
      const { project, body, targetUserId: userId } = call;
      const user = requireSignedIn(call);
      const teamId = normalizeTeamId(call.params.team_id);
      const needed = ['$invite_members', '$remove_members'] as const;
      await assertMember(deps, project.id, { teamId, userId: user.id }, needed);
      await deps.rateLimits.spend(clientWriteUses(call));
      await transaction(deps.db, async tx => {
        const change = { teamId, userId, callerId: user.id };
        const locked = await lockRoles(tx, { ...call, user }, { teamId, userId, needed }, deps);
        const facts = await readTeamGrants(tx, project.id, { teamId, userIds: [user.id, userId] });
        const plan = planRoleChange({ ...change, ...locked, facts, roleId: body.role_id });
        await applyGrants(tx, { projectId: project.id, teamId, userId, plan, nowMillis: deps.clock.now() });
        // An older invitation may give the previous role to a user who leaves and joins again.
        await deleteInvitations(tx, project.id, { to: { kind: 'team_invitation', id: teamId }, userId });
      });
      return { success: true } as const;
    }),

    bind(teamRoleEndpoints.removeMember, async call => {
      const { project, query, targetUserId: userId } = call;
      const user = requireSignedIn(call);
      const teamId = normalizeTeamId(call.params.team_id);
      const needed = userId === user.id ? [] : (['$remove_members'] as const);
      await assertMember(deps, project.id, { teamId, userId: user.id }, needed);
      await deps.rateLimits.spend(clientWriteUses(call));
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        const change = { teamId, userId, callerId: user.id };
        const locked = await lockRoles(tx, { ...call, user }, { teamId, userId, needed }, deps);
        const successor = planRemoval({ ...change, ...locked, successorId: query.successor_user_id });
        if (successor !== undefined) {
          const { successorId, roleId } = successor;
          await requireMember(tx, project.id, { teamId, userId: successorId });
          const plan = { revoke: [], grant: [roleId] };
          await applyGrants(tx, { projectId: project.id, teamId, userId: successorId, plan, nowMillis });
        }
        await removeMember(tx, project.id, { teamId, userId, removedBy: user.id, nowMillis });
      });
      return { success: true } as const;
    }),
  ];
}

interface MemberChange extends Membership {
  /** The permissions that the caller needs. */
  readonly needed: readonly SystemPermissionId[];
}

/**
 * Locks the roles of a team for the change of one member, and checks the caller again: the session may have ended, and the
 * caller may have left or lost a permission, since the checks.
 *
 * @throws ACCESS_TOKEN_EXPIRED, USER_NOT_FOUND, TEAM_MEMBERSHIP_NOT_FOUND, TEAM_PERMISSION_REQUIRED
 */
async function lockRoles(
  tx: Transaction,
  caller: TeamCaller & { readonly user: CallUser },
  { needed, ...member }: MemberChange,
  deps: Pick<RoleRoutesDeps, 'clock'>,
): Promise<{ roles: readonly string[]; needsSuccessor: boolean }> {
  const { project } = caller;
  const projectId = project.id;
  await holdDefinitions(tx, projectId);
  // A server with the access token of a member acts as that member.
  await holdCaller(tx, { ...caller, level: 'client' }, deps);
  // Users before teams, as `addMember` does.
  await lockUser(tx, { projectId, userId: member.userId }, 'hold');
  await lockTeamRoles(tx, projectId, member.teamId);
  await requireMember(tx, projectId, member);
  await holdMember(tx, projectId, { teamId: member.teamId, userId: caller.user.id }, needed);
  const { expand, holding } = await readTeamPermissions(tx, projectId);
  const roles = rolesOf(project.config, expand);
  return { roles, needsSuccessor: await needsSuccessor(tx, projectId, { ...member, roles, holding }) };
}

async function requireMember(tx: Transaction, projectId: string, member: Membership): Promise<void> {
  if (!(await isMember(tx, projectId, member))) await failNoMember(tx, projectId, member);
}

function memberPosition({ joinedAtMillis, userId }: MemberRow): PagePosition {
  return { atMillis: joinedAtMillis, id: userId };
}
