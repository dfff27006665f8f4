import { type AccessLevel, fail, type SystemPermissionId } from '@tessera/protocol';
import type { CallUser } from '../accounts/users/index.ts';
import { memberPermissions, type PermissionDeps } from '../permissions/index.ts';
import type { Project } from '../projects/index.ts';
import { isMember } from './memberships/store.ts';
import { type Asker, assertHolds, type Membership } from './rules.ts';

/** The part of a call that decides what it may do with teams. */
export interface TeamCaller {
  readonly level: AccessLevel;
  readonly project: Project;
  readonly user: CallUser | null;
}

/** What a client needs for a call on one team. */
export interface Need {
  readonly permissions: readonly SystemPermissionId[];
  /** What who is not signed in is told; it differs from call to call. */
  readonly signedOut: 'USER_AUTHENTICATION_REQUIRED' | 'CANNOT_GET_OWN_USER_WITHOUT_USER';
}

/**
 * Lets a client pass that is a member of the team with the permissions it needs; higher levels always.
 *
 * @throws what the need says for signed-out callers, else TEAM_MEMBERSHIP_NOT_FOUND or TEAM_PERMISSION_REQUIRED
 */
export async function assertClientMay(
  deps: PermissionDeps,
  { level, project, user }: TeamCaller,
  teamId: string,
  { permissions, signedOut }: Need,
): Promise<void> {
  if (level !== 'client') return;
  const userId = user?.id ?? fail(signedOut);
  await assertMember(deps, project.id, { teamId, userId }, permissions);
}

/** The standard check of docs/contract/teams.md: a member, with these permissions. */
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

/** There is no such team: servers are told so, clients cannot tell it from a team that is not theirs. */
export function failNoTeam({ level, user }: Pick<TeamCaller, 'level' | 'user'>, teamId: string): never {
  if (level !== 'client' || user === null) fail('TEAM_NOT_FOUND', { team_id: teamId });
  fail('TEAM_MEMBERSHIP_NOT_FOUND', { team_id: teamId, user_id: user.id });
}

export function askerOf({ level, user }: Pick<TeamCaller, 'level' | 'user'>): Asker {
  return { level, userId: user?.id ?? null };
}

/** The one spelling of a team id; the wire accepts any letter case. */
export function teamIdOf(id: string): string {
  return id.toLowerCase();
}

/** The one spelling of a user id, and the id that `me` stands for. */
export function userIdOf(id: string, user: CallUser | null): string {
  if (id !== 'me') return id.toLowerCase();
  // The pipeline has refused `me` without a user already.
  return user?.id ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
}
