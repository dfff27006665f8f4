import { isUuid } from '@tessera/protocol';
import type { AuditedCall } from '../../core/audit-event.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import { holdCallerSession, type SensitiveCaller } from '../accounts/users/index.ts';
import { assertKeyUsable, type Projects } from '../projects/index.ts';
import type { NotificationCategory } from './notifications/index.ts';
import { enqueueCopies, storeBulkEmailBody } from './queue/bulk-email.ts';
import { deleteUnusedBodies } from './queue/store.ts';
import { MarkupError } from './rendering/markup/error.ts';
import type { Sanitizer } from './rendering/sanitizer.ts';
import { planSending, type Sending } from './rules.ts';
import { lockAddressees } from './store.ts';
import type { AuthoredContent } from './templates/themes.ts';

export interface SendEmailDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly sanitize: Sanitizer;
}

/** Users per statement. */
const usersAtOnce = 500;

interface Request {
  readonly userIds: readonly string[];
  readonly subject: string;
  readonly html: string;
  readonly category: NotificationCategory;
}

/**
 * Adds an email for each user to the queue and returns the results in the given order. Whether a mail server accepts it
 * is recorded in the log of sent emails. A long text waits for its turn, so the access of the caller is checked again.
 *
 * @throws the refusals of `holdCallerSession` and `assertKeyUsable`, or a 429
 */
export async function sendToUsers(
  call: AuditedCall & SensitiveCaller,
  { userIds, subject, html, category }: Request,
  deps: SendEmailDeps,
): Promise<Sending[]> {
  const { project } = call;
  const written = await trySanitize(() => deps.sanitize(html, project.id));
  const renderingError = written instanceof MarkupError ? written.message : null;
  await assertKeyUsable(call, deps.projects);
  return transaction(deps.db, async tx => {
    await holdCallerSession(tx, call, deps);
    const bodyId = written instanceof MarkupError ? undefined : await storeBody(tx, written);
    const sendings: Sending[] = [];
    for (let start = 0; start < userIds.length; start += usersAtOnce) {
      const givenIds = userIds.slice(start, start + usersAtOnce);
      // Ids in another format match no user.
      const ids = givenIds.map(id => id.toLowerCase()).filter(isUuid);
      const addressees = await lockAddressees(tx, project.id, { userIds: ids, categoryId: category.id });
      const planned = givenIds.map(givenId =>
        planSending(givenId, addressees.get(givenId.toLowerCase()), { category, renderingError }),
      );
      const recipients = planned.filter(sending => sending.refusal === null);
      if (bodyId !== undefined) await enqueueCopies(tx, project.id, { bodyId, recipients }, deps);
      sendings.push(...planned);
    }
    // Deletes this body when no user gets it, and bodies whose users were all deleted.
    await deleteUnusedBodies(tx, project.id);
    return sendings;
  });

  function storeBody(tx: Transaction, text: AuthoredContent): Promise<string> {
    const endsCategoryId = category.canDisable ? category.id : null;
    const bulkEmail = { subject, theme: project.config.emailTheme, written: text, endsCategoryId };
    return storeBulkEmailBody(tx, project.id, bulkEmail, deps);
  }
}

async function trySanitize(sanitize: () => Promise<AuthoredContent>): Promise<AuthoredContent | MarkupError> {
  try {
    return await sanitize();
  } catch (error) {
    if (error instanceof MarkupError) return error;
    throw error;
  }
}
