import { randomUUID } from 'node:crypto';
import type { Settings } from '../../../env.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import { logAttempt } from '../queue/attempts.ts';
import type { MailFailure } from '../queue/failures.ts';
import { smtpServer } from '../senders.ts';
import { oneLine } from '../templates/names.ts';
import type { OwnMailServers } from '../transport/project-servers.ts';
import type { SmtpServer } from '../transport/smtp.ts';
import type { Message } from '../transport/transport.ts';

export interface TestEmailDeps {
  readonly settings: Pick<Settings, 'mode'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly ownMailServers: OwnMailServers;
}

const subject = 'Test mail';
const text = 'This is a test. The mail server works, and what you send through it arrives.\n';

interface Trial {
  readonly projectId: string;
  readonly recipient: string;
  readonly server: Pick<SmtpServer, 'host' | 'port' | 'username' | 'password'>;
  readonly from: Message['from'];
}

/** Sends one email through a server without retries. @returns the failure, null on success */
export async function tryServer(
  { projectId, recipient, server, from }: Trial,
  deps: TestEmailDeps,
): Promise<MailFailure | null> {
  const sender = { name: oneLine(from.name), address: from.address };
  const message = { id: randomUUID(), projectId, from: sender, to: recipient, subject, html: '', text };
  const failure = await deps.ownMailServers.tryOnce(smtpServer(server, deps.settings), message);
  await logAttempt(deps.db, { message, failure, type: 'standard', server }, deps);
  return failure;
}
