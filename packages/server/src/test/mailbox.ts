import type { TestPostgres } from '@tessera/testing/database';
import type { Deps } from '../deps.ts';
import { emailActions } from '../features/email/catcher/rules.ts';
import type { Message } from '../features/email/transport/transport.ts';
import { runDueJobs } from './due-jobs.ts';

/** A delivered email. */
export interface ReceivedEmail {
  readonly to: string;
  readonly from: Message['from'];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The link in the text of the email; empty when there is none. */
  readonly link: string;
  /** The `code` parameter of the link; empty when it has none. */
  readonly code: string;
  /** The six-character code for typing, which is on its own line; empty when there is none. */
  readonly otp: string;
}

export type Mailbox = (address?: string) => Promise<ReceivedEmail[]>;

/** Runs the due jobs, and returns all emails delivered so far, newest first; those to one address, or all. */
export function createMailbox(options: { deps: Deps; connection: TestPostgres; received: ReceivedEmail[] }): Mailbox {
  const { deps, connection, received } = options;
  const mailTransport = {
    ...deps.mailTransport,
    send: async (message: Message) => {
      received.unshift(toReceivedEmail(message));
      return null;
    },
  };
  return async address => {
    await runDueJobs({ connection, deps: { ...deps, mailTransport } });
    return received.filter(({ to }) => address === undefined || to === address);
  };
}

function toReceivedEmail({ to, from, subject, text, html }: Message): ReceivedEmail {
  const { link, code, otp } = emailActions(text);
  return { to, from, subject, text, html, link: link ?? '', code: code ?? '', otp: otp ?? '' };
}
