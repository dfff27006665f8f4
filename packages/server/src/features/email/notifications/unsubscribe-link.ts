import { apiPath } from '@tessera/protocol';
import type { Settings } from '../../../env.ts';
import { unreachable } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { lockUser } from '../../accounts/users/index.ts';
import { createCode } from '../../verification-codes/index.ts';
import { findCategory } from './rules.ts';

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
): Promise<{ url: string; categoryName: string } | undefined> {
  const { projectId, userId, categoryId } = reader;
  return transaction(deps.db, async tx => {
    if (!(await lockUser(tx, { projectId, userId }, 'hold'))) return undefined;
    const request = { projectId, kind: 'unsubscribe', userId, address: null, data: { categoryId } } as const;
    const { code } = await createCode(tx, request, deps);
    const url = `${deps.settings.publicUrl}${apiPath}/emails/unsubscribe-link?code=${code}`;
    return { url, categoryName: findCategory(categoryId)?.name ?? unreachable('a link of an unknown category') };
  });
}
