import {
  failedEmailSubjectMaxLength,
  failedEmailsListed,
  failedEmailsShown,
  failedEmailsWindowMs,
} from '@tessera/protocol';
import type { Settings } from '../../../env.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { countNotice } from '../../accounts/users/index.ts';
import { selectAddressedOwners } from '../../projects/index.ts';
import { withoutCodes } from '../log/rules.ts';
import { mailSubjectPurpose } from '../queue/attempts.ts';
import type { Mail } from '../queue/index.ts';
import { type FailedEmails, mailsInWords, shorten } from '../rules.ts';
import { type FailedEmail, selectFailed } from '../store.ts';
import { memberName, withoutLinks } from '../templates/names.ts';

export interface DigestDeps {
  readonly settings: Pick<Settings, 'publicUrl'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly mail: Mail;
}

/** The failed emails of the last 24 hours, for each project that has an owner with an email address. */
export async function loadFailedEmails(deps: DigestDeps): Promise<FailedEmails[]> {
  const sinceMillis = deps.clock.now() - failedEmailsWindowMs;
  const failed = await selectFailed(deps.db, { sinceMillis, perProject: failedEmailsListed });
  const owners = await selectAddressedOwners(deps.db, [...new Set(failed.map(({ projectId }) => projectId))]);
  return [...owners].map(([projectId, project]) => {
    const rows = failed.filter(row => row.projectId === projectId);
    const listed = rows.map(row => listedEmail(row, deps));
    return { projectId, ...project, count: rows[0]?.count ?? 0, listed };
  });
}

/** Sends each owner of each project one email, from the installation. */
export function sendDigests(failed: readonly FailedEmails[], deps: DigestDeps): Promise<void> {
  return transaction(deps.db, async tx => {
    for (const { projectId, displayName, owners, count, listed } of failed) {
      const variables = {
        ofProject: displayName,
        failedCount: mailsInWords(count),
        failures: listed.slice(0, failedEmailsShown).map(lineOf).join('\n'),
        dashboardLink: `${deps.settings.publicUrl}/dashboard/projects/${projectId}/emails`,
      };
      for (const { userId, address: recipient, isVerified } of owners) {
        // A person who owns many projects gets all digests, but any account can name the address of a stranger.
        const owner = { projectId: 'internal', userId, isVerified };
        if (!(isVerified || (await countNotice(tx, recipient, owner, deps.clock.now())))) continue;
        await deps.mail.send(tx, { projectId: 'internal', template: 'failed_emails_digest', recipient, variables });
      }
    }
  });
}

function listedEmail({ subject, recipients }: FailedEmail, { secrets }: DigestDeps): FailedEmails['listed'][number] {
  return { subject: secrets.decrypt(mailSubjectPurpose, subject).toString(), to: recipients };
}

/**
 * Subjects and addresses contain user input: links and line breaks are removed (controls 74 and 75). The codes of subjects
 * may still be valid, and the owner's mailbox may be a stranger's (control 68).
 */
function lineOf({ subject, to }: FailedEmails['listed'][number]): string {
  return `“${shorten(withoutCodes(withoutLinks(subject)), failedEmailSubjectMaxLength)}” to ${to.map(memberName).join(', ')}`;
}
