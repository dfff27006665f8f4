import { apiPath } from '@tessera/protocol';
import type { Settings } from '../../../env.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { holdUser } from '../../accounts/users/index.ts';
import { createCode } from '../../verification-codes/index.ts';

export { findCategoryByName, isWanted, type NotificationCategory } from './rules.ts';

interface LinkDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'publicUrl'>;
}

/**
 * A link with which a user unsubscribes from a category (docs/contract/users.md#notification-categories). Undefined for
 * a deleted user.
 */
export function createUnsubscribeLink(
  reader: { projectId: string; userId: string; categoryId: string },
  deps: LinkDeps,
): Promise<string | undefined> {
  const { projectId, userId, categoryId } = reader;
  return transaction(deps.db, async tx => {
    if (!(await holdUser(tx, projectId, userId))) return undefined;
    const request = { projectId, kind: 'unsubscribe', userId, address: null, data: { categoryId } } as const;
    const { code } = await createCode(tx, request, deps);
    return `${deps.settings.publicUrl}${apiPath}/emails/unsubscribe-link?code=${code}`;
  });
}
