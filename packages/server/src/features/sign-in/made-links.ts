import { fail } from '@tessera/protocol';
import type { Queryable } from '../../platform/database/database.ts';
import { holdAccess } from '../sessions/index.ts';

/**
 * A link that a person made for a user works while that person has access to the project, as the sessions do that the
 * person opened: a former member could still open the account with it.
 *
 * @throws VERIFICATION_CODE_NOT_FOUND
 */
export async function assertMakerHasAccess(
  { data: { makerId } }: { readonly data: { readonly makerId?: string | undefined } },
  projectId: string,
  db: Queryable,
): Promise<void> {
  if (makerId === undefined) return;
  if (!(await holdAccess(db, { projectId, ownerId: makerId }))) fail('VERIFICATION_CODE_NOT_FOUND');
}
