import { fail, type SystemPermissionId } from '@tessera/protocol';
import { refuse } from '../../../http/refusal.ts';
import type { Membership, Requester } from '../rules.ts';

/** A membership that must exist, and the permissions that it must have. */
export interface NeededMembership extends Membership {
  readonly permissions: readonly SystemPermissionId[];
}

/**
 * The requirement to list profiles: a client must be a member of the team, with `$read_members` unless it lists its own
 * profile.
 *
 * @returns undefined for servers, which can list all profiles
 */
export function getListRequirement(
  asked: { readonly teamId: string | undefined; readonly userId: string | undefined },
  { level, userId }: Requester,
): NeededMembership | undefined {
  if (level !== 'client') return undefined;
  if (userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (asked.teamId === undefined) refuse(400, 'Clients must send team_id to list profiles.');
  return { teamId: asked.teamId, userId, permissions: asked.userId === userId ? [] : ['$read_members'] };
}

/** The requirement to read a profile: membership for the own profile, `$read_members` for others. */
export function getReadRequirement(target: Membership, { level, userId }: Requester): NeededMembership | undefined {
  if (level !== 'client') return undefined;
  if (userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  return { teamId: target.teamId, userId, permissions: target.userId === userId ? [] : ['$read_members'] };
}

/** A client changes only its own profile, whatever its permissions. @throws a text 403 */
export function assertMayUpdate(target: Membership, { level, userId }: Requester): void {
  if (level !== 'client') return;
  if (userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (target.userId !== userId) refuse(403, 'Clients can only change the profile of the signed-in user.');
}
