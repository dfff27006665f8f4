import type { InvitedRole } from '@tessera/protocol';
import { refuse } from '../../http/refusal.ts';

interface Acting {
  readonly project: { readonly id: string };
  readonly ownerId: string | undefined;
}

/**
 * Members and owners are changed by a person. With a key of the project a person whose membership ended could come back.
 *
 * @returns the id of the person
 * @throws a text 403
 */
export function requirePerson({ ownerId }: Acting): string {
  return ownerId ?? refuse(403, 'Only a signed-in owner can do this, not a key of the project.');
}

/**
 * An admin of `internal` could change the ownership record of every project, so there are none.
 *
 * @throws a text 403
 */
export function assertRoleExists(projectId: string, role: InvitedRole): void {
  if (projectId === 'internal' && role === 'admin') refuse(403, 'The project internal has owners and viewers only.');
}

/** The name of a person in an email. */
export function nameOf({ displayName, primaryEmail }: { displayName: string | null; primaryEmail: string | null }) {
  return displayName || primaryEmail || 'A user without a name';
}
