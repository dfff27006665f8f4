import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { type Database, transaction } from '../db.ts';
import { addJob, type Task } from '../jobs.ts';
import type { Log } from '../log.ts';
import type { Secrets } from '../secrets.ts';
import type { MailFailure } from './failures.ts';
import { mailTask, mailVariablesPurpose, type Template } from './index.ts';
import { projectName } from './names.ts';
import { renderLetter } from './render.ts';
import { countMailAttempt, deleteMail, insertSentMail, type MailRow, selectMail } from './store.ts';
import { builtInTemplates } from './templates.ts';
import type { Message, Transport } from './transport.ts';

export interface DeliveryDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailTransport: Transport;
  readonly settings: { readonly mailFrom: string };
  readonly projects: { find(id: string): Promise<{ readonly project: { readonly displayName: string } } | undefined> };
}

/** Of sent mails, in the log. */
export const mailSubjectPurpose = 'mail subject';

const maxAttempts = 3;
const firstRetryMs = 2_000;

const reference = z.object({ projectId: z.string(), id: z.string() });
const variablesSchema = z.record(z.string(), z.string().optional());

/**
 * Delivers a letter: hands it to the mail server and then, in one transaction, logs the attempt and takes the letter out
 * of the post, or puts it back for later. A process that dies in between leaves it there, and it goes out once more,
 * under the same message id (control 103).
 */
export function mailDelivery(deps: DeliveryDeps): Task {
  return async payload => {
    const { projectId, id } = reference.parse(payload);
    const [mail, loaded] = await Promise.all([selectMail(deps.db, projectId, id), deps.projects.find(projectId)]);
    // Delivered already, or the project was deleted.
    if (mail === undefined || mail.variables === null || loaded === undefined) return;
    const message = await writeMessage(mail, { id, projectId, projectDisplayName: loaded.project.displayName }, deps);
    const failure = await deps.mailTransport.hand(message);
    if (failure !== null) {
      deps.log.warn(
        { projectId, mail: id, errorType: failure.type, attempt: mail.attempts + 1 },
        'a mail was not taken',
      );
    }
    await settle(message, failure, mail.attempts + 1, deps);
  };
}

async function writeMessage(
  mail: MailRow,
  { id, projectId, projectDisplayName }: { id: string; projectId: string; projectDisplayName: string },
  deps: DeliveryDeps,
): Promise<Message> {
  if (!isTemplate(mail.template)) throw new Error(`a mail of an unknown template: ${mail.template}`);
  const variables = variablesSchema.parse(
    JSON.parse(deps.secrets.decrypt(mailVariablesPurpose, mail.variables ?? Buffer.alloc(0)).toString()),
  );
  const rendered = await renderLetter({ template: mail.template, variables, projectDisplayName });
  const from = { name: projectName(projectDisplayName), address: deps.settings.mailFrom };
  return { id, projectId, from, to: mail.recipient, ...rendered };
}

async function settle(
  message: Message,
  failure: MailFailure | null,
  attempts: number,
  deps: DeliveryDeps,
): Promise<void> {
  const { projectId, id } = message;
  const retries = failure?.canRetry === true && attempts < maxAttempts;
  await transaction(deps.db, async tx => {
    await insertSentMail(tx, projectId, {
      id: randomUUID(),
      recipients: [message.to],
      subject: deps.secrets.encrypt(mailSubjectPurpose, message.subject),
      senderConfig: senderConfig(message, deps.mailTransport),
      error: failure === null ? null : wireError(failure),
      sentAtMillis: deps.clock.now(),
    });
    if (!retries) return deleteMail(tx, projectId, id);
    await countMailAttempt(tx, projectId, id);
    await addJob(tx, mailTask, { projectId, id }, { delayMs: firstRetryMs * 2 ** (attempts - 1) });
  });
}

/** As the log of sent mails shows it (emails-webhooks-metrics.md 5). */
function senderConfig({ from }: Message, { server }: Transport): object {
  return { type: 'shared', ...server, sender_name: from.name, sender_email: from.address };
}

function wireError({ type, canRetry, message, raw }: MailFailure): object {
  return { errorType: type, canRetry, message, rawError: raw };
}

function isTemplate(name: string): name is Template {
  return Object.hasOwn(builtInTemplates, name);
}
