import { fail, type SystemPermissionId } from '@tessera/protocol';
import { refuse } from '../../../http/refusal.ts';
import type { Asker, Membership } from '../rules.ts';

/** A membership that must be there, and what it must hold. */
export interface NeededMembership extends Membership {
  readonly permissions: readonly SystemPermissionId[];
}

/**
 * What it takes to list profiles: for clients a team they are in, and `$read_members` unless they ask for themselves.
 *
 * @returns undefined for servers, which may list everything
 */
export function neededToList(
  asked: { readonly teamId: string | undefined; readonly userId: string | undefined },
  { level, userId }: Asker,
): NeededMembership | undefined {
  if (level !== 'client') return undefined;
  if (userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (asked.teamId === undefined) refuse(400, 'Clients must say whose profiles they want: team_id is missing.');
  return { teamId: asked.teamId, userId, permissions: asked.userId === userId ? [] : ['$read_members'] };
}

/** What it takes to read a profile: membership for the own one, `$read_members` for others. */
export function neededToRead(target: Membership, { level, userId }: Asker): NeededMembership | undefined {
  if (level !== 'client') return undefined;
  if (userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  return { teamId: target.teamId, userId, permissions: target.userId === userId ? [] : ['$read_members'] };
}

/** Clients change their own profile only, whatever permissions they have. @throws a text 403 */
export function assertMayUpdate(target: Membership, { level, userId }: Asker): void {
  if (level !== 'client') return;
  if (userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (target.userId !== userId) refuse(403, 'Clients can only change the profile of the signed-in user.');
}
