import { type AccessLevel, fail, type SystemPermissionId } from '@tessera/protocol';
import type { Project } from '../../core/project.ts';
import type { CallUser } from '../../core/user.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { holdCaller, holdMembership, isMember } from '../accounts/users/index.ts';
import { holdDefinitions, memberPermissions, type PermissionDeps, readTeamGrants } from '../permissions/index.ts';
import { userExists } from './memberships/store.ts';
import { lockTeamRoles } from './roles/store.ts';
import { assertHolds, type Membership, type Requester } from './rules.ts';

/** The fields of a call that decide its access to teams. */
export interface TeamCaller {
  readonly level: AccessLevel;
  readonly project: Project;
  readonly user: CallUser | null;
  readonly sessionId: string | undefined;
  /** The person who manages the project, and that person's session; undefined for users and keys. */
  readonly ownerId: string | undefined;
  readonly ownerSessionId: string | undefined;
}

/** The requirements of a client call on one team. */
export interface Need {
  readonly permissions: readonly SystemPermissionId[];
  /** The error for a client without a user; it differs between endpoints. */
  readonly signedOut: 'USER_AUTHENTICATION_REQUIRED' | 'CANNOT_GET_OWN_USER_WITHOUT_USER';
}

/**
 * Checks that a client is a member of the team with the needed permissions. Higher levels always pass.
 *
 * @throws the `signedOut` error for a client without a user, else TEAM_MEMBERSHIP_NOT_FOUND or TEAM_PERMISSION_REQUIRED
 */
export async function assertClientMay(
  deps: PermissionDeps,
  caller: TeamCaller,
  teamId: string,
  need: Need,
): Promise<void> {
  const userId = limitedUserId(caller, need);
  if (userId !== undefined) await assertMember(deps, caller.project.id, { teamId, userId }, need.permissions);
}

/**
 * Checks again, in the transaction of a change, that a client may make it: the session, the membership or a permission may
 * have ended since `assertClientMay`. The changes of a team wait for each other, so two members cannot remove each other.
 * Of servers and admins, the person who manages the project is checked.
 *
 * @throws the refusals of `holdCaller`, and the errors of `assertClientMay`
 */
export async function holdClientMay(
  tx: Transaction,
  caller: TeamCaller,
  { teamId, need }: { teamId: string; need: Need },
  deps: { readonly clock: Clock },
): Promise<void> {
  const userId = limitedUserId(caller, need);
  if (userId === undefined) return holdCaller(tx, caller, deps);
  const { id: projectId } = caller.project;
  await holdDefinitions(tx, projectId);
  // The user, the team and the membership, in the order of the changes of roles.
  await holdCaller(tx, caller, deps);
  await lockTeamRoles(tx, projectId, teamId);
  await holdMember(tx, projectId, { teamId, userId }, need.permissions);
}

/** The user whose permissions limit a call; undefined for servers and admins, which need none. */
function limitedUserId({ level, user }: TeamCaller, { signedOut }: Need): string | undefined {
  return level === 'client' ? (user?.id ?? fail(signedOut)) : undefined;
}

/**
 * As `assertMember`, in the transaction of a change. The membership and its permissions stay until its end, when the
 * caller has called `holdDefinitions`.
 */
export async function holdMember(
  tx: Transaction,
  projectId: string,
  { teamId, userId }: Membership,
  needed: readonly SystemPermissionId[],
): Promise<void> {
  const isIn = await holdMembership(tx, projectId, userId, teamId);
  const { direct, expand } = await readTeamGrants(tx, projectId, { teamId, userIds: [userId] });
  assertHolds(isIn ? expand(direct.get(userId) ?? []) : null, needed, { teamId, userId });
}

/** Checks that a user is a member with these permissions (docs/contract/teams.md). */
export async function assertMember(
  deps: PermissionDeps,
  projectId: string,
  { teamId, userId }: Membership,
  needed: readonly SystemPermissionId[],
): Promise<void> {
  const isIn = await isMember(deps.db, projectId, { teamId, userId });
  const held = isIn && needed.length > 0 ? await memberPermissions(deps, projectId, teamId, userId) : new Set<string>();
  assertHolds(isIn ? held : null, needed, { teamId, userId });
}

/** The user for whom an endpoint acts at every level. @throws USER_AUTHENTICATION_REQUIRED */
export function requireSignedIn({ user }: Pick<TeamCaller, 'user'>): CallUser {
  return user ?? fail('USER_AUTHENTICATION_REQUIRED');
}

/** Refuses an unknown team. Clients get the same answer as for a team that they are not a member of. */
export function failNoTeam({ level, user }: Pick<TeamCaller, 'level' | 'user'>, teamId: string): never {
  if (level !== 'client' || user === null) fail('TEAM_NOT_FOUND', { team_id: teamId });
  fail('TEAM_MEMBERSHIP_NOT_FOUND', { team_id: teamId, user_id: user.id });
}

/** Refuses a user who is not a member. @throws USER_NOT_FOUND, else TEAM_MEMBERSHIP_NOT_FOUND */
export async function failNoMember(db: Queryable, projectId: string, { teamId, userId }: Membership): Promise<never> {
  if (!(await userExists(db, projectId, userId))) fail('USER_NOT_FOUND');
  return fail('TEAM_MEMBERSHIP_NOT_FOUND', { team_id: teamId, user_id: userId });
}

export function requesterOf({ level, user }: Pick<TeamCaller, 'level' | 'user'>): Requester {
  return { level, userId: user?.id ?? null };
}

/** The lower-case form of a team id; requests may use any letter case. */
export function normalizeTeamId(id: string): string {
  return id.toLowerCase();
}
