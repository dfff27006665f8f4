import type {
  Answer,
  EmailTemplateType,
  emailEndpoints,
  emailExtensionEndpoints,
  emailTemplateEndpoints,
  Input,
} from '@tessera/protocol';
import type { OwnTemplate } from './queue/store.ts';
import type { WaitingMail } from './queue/waiting-store.ts';
import type { FailedEmails, Sending } from './rules.ts';
import type { LoggedEmail } from './store.ts';

/**
 * docs/contract/emails-webhooks-metrics.md#email-templates. A stored template is the project's own, also when it equals
 * the built-in one.
 */
export function templateView(
  type: EmailTemplateType,
  own: OwnTemplate | undefined,
  builtIn: OwnTemplate,
): Answer<typeof emailTemplateEndpoints.read> {
  return { type, ...(own ?? builtIn), is_default: own === undefined };
}

type SendingResult = Answer<typeof emailEndpoints.send>['results'][number];

export function sendingResult({ givenId, address, refusal }: Sending): SendingResult {
  return {
    user_id: givenId,
    ...(address === null ? {} : { user_email: address }),
    success: refusal === null,
    ...(refusal === null ? {} : { error: refusal }),
  };
}

type SentEmail = Answer<typeof emailEndpoints.listSent>['items'][number];

export function sentEmail(
  { id, recipients, sentAtMillis, senderConfig, error }: LoggedEmail,
  subject: string,
): SentEmail {
  return {
    id,
    subject,
    to: [...recipients],
    sent_at_millis: sentAtMillis,
    sender_config: senderConfig,
    error,
  };
}

/** docs/contract/decisions.md#failed-emails */
export function waitingEmail(mail: WaitingMail): Answer<typeof emailExtensionEndpoints.listWaiting>['items'][number] {
  return {
    id: mail.id,
    template: mail.template,
    recipient: mail.recipient,
    user_id: mail.userId,
    message_id: mail.messageId,
    created_at_millis: mail.atMillis,
    attempts: mail.attempts,
    next_attempt_at_millis: mail.nextAttemptAtMillis,
  };
}

/** The server and the sender of a test email. */
export function testedServer({
  host,
  port,
  username,
  password,
  sender_name: name,
  sender_email: address,
}: Input<typeof emailEndpoints.sendTestEmail>['body']['email_config']) {
  return { server: { host, port, username, password }, from: { name, address } };
}

/** Each project is its own tenancy. */
export function digestView(failed: readonly FailedEmails[]): Answer<typeof emailEndpoints.sendFailureDigest> {
  return {
    success: true,
    failed_emails_by_tenancy: failed.map(({ projectId, owners, listed }) => ({
      emails: listed.map(({ subject, to }) => ({ subject, to: [...to] })),
      tenant_owner_emails: owners.map(({ address }) => address),
      project_id: projectId,
      tenancy_id: projectId,
    })),
  };
}
