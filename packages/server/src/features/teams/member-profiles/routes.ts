import { type AccessLevel, fail, teamMemberProfileEndpoints } from '@tessera/protocol';
import type { Settings } from '../../../env.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Queryable, transaction } from '../../../platform/database/database.ts';
import type { ConvertImage } from '../../../platform/images.ts';
import { clientWriteUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { holdCaller, selectUsersById } from '../../accounts/users/index.ts';
import { storeImage } from '../../images/index.ts';
import type { PermissionDefinitions } from '../../permissions/index.ts';
import type { Projects } from '../../projects/index.ts';
import { assertMember, failNoMember, normalizeTeamId, requesterOf, type TeamCaller } from '../access.ts';
import { userExists } from '../memberships/store.ts';
import type { Membership } from '../rules.ts';
import { selectTeam } from '../store.ts';
import { assertMayUpdate, getListRequirement, getReadRequirement, type NeededMembership } from './rules.ts';
import { type MemberProfile, type ProfileFilter, selectProfile, selectProfiles, updateProfile } from './store.ts';
import { clientProfile, profilePatch, serverProfile } from './wire.ts';

interface MemberProfileRoutesDeps {
  readonly settings: Pick<Settings, 'publicUrl'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly permissionDefinitions: PermissionDefinitions;
  readonly rateLimits: RateLimits;
  readonly convertImage: ConvertImage;
  readonly projects: Projects;
}

export function teamMemberProfileRoutes(deps: MemberProfileRoutesDeps): BoundRoute[] {
  return [
    bind(teamMemberProfileEndpoints.list, async call => {
      const { project, query } = call;
      const filter = {
        teamId: query.team_id === undefined ? undefined : normalizeTeamId(query.team_id),
        userId: call.targetUserId,
      };
      const needed = getListRequirement(filter, requesterOf(call));
      if (needed === undefined) await assertFilterExists(deps.db, project.id, filter);
      else await assertNeeded(deps, project.id, needed);
      const profiles = await selectProfiles(deps.db.reads, project.id, filter);
      return {
        items: await profileViews(deps.db.reads, project.id, profiles, call.level),
        is_paginated: false,
      } as const;
    }),

    bind(teamMemberProfileEndpoints.read, async call => {
      const target = targetOf(call);
      const needed = getReadRequirement(target, requesterOf(call));
      if (needed !== undefined) await assertNeeded(deps, call.project.id, needed);
      return readProfile(deps.db, call, target);
    }),

    bind(teamMemberProfileEndpoints.update, async call => {
      const target = targetOf(call);
      assertMayUpdate(target, requesterOf(call));
      await deps.rateLimits.spend(clientWriteUses(call));
      const patch = profilePatch(call.body);
      const stored = { ...patch, profileImageUrl: await storeImage(patch.profileImageUrl, call, deps) };
      return transaction(deps.db, async tx => {
        await holdCaller(tx, call, deps);
        await updateProfile(tx, call.project.id, target, stored);
        return readProfile(tx, call, target);
      });
    }),
  ];
}

function targetOf(call: { params: { team_id: string }; targetUserId: string }): Membership {
  return { teamId: normalizeTeamId(call.params.team_id), userId: call.targetUserId };
}

function assertNeeded(
  deps: MemberProfileRoutesDeps,
  projectId: string,
  { permissions, ...membership }: NeededMembership,
) {
  return assertMember(deps, projectId, membership, permissions);
}

/** Checks that the team and the user of a server's filter exist. @throws TEAM_NOT_FOUND, USER_NOT_FOUND */
async function assertFilterExists(db: Queryable, projectId: string, { teamId, userId }: ProfileFilter): Promise<void> {
  if (teamId !== undefined && (await selectTeam(db, projectId, teamId)) === undefined) {
    fail('TEAM_NOT_FOUND', { team_id: teamId });
  }
  if (userId !== undefined && !(await userExists(db, projectId, userId))) fail('USER_NOT_FOUND');
}

/** @throws USER_NOT_FOUND, TEAM_MEMBERSHIP_NOT_FOUND for a user who is not a member */
async function readProfile(db: Queryable, { level, project }: TeamCaller, target: Membership) {
  const profile = await selectProfile(db, project.id, target);
  const [view] = profile === undefined ? [] : await profileViews(db, project.id, [profile], level);
  return view ?? failNoMember(db, project.id, target);
}

/** The profiles in the view of the level. Users who were deleted meanwhile are left out. */
async function profileViews(db: Queryable, projectId: string, profiles: readonly MemberProfile[], level: AccessLevel) {
  if (level === 'client') return profiles.map(clientProfile);
  const userIds = [...new Set(profiles.map(({ userId }) => userId))];
  const users = new Map((await selectUsersById(db, projectId, userIds)).map(user => [user.id, user]));
  return profiles.flatMap(profile => {
    const user = users.get(profile.userId);
    return user === undefined ? [] : [serverProfile(profile, user)];
  });
}
