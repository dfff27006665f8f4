import type { MailFailure } from '../queue/failures.ts';
import type { Room } from './server-pace.ts';

/** An email ready to send. */
export interface Message {
  /** Equal for each attempt, so that the recipient can detect a duplicate. */
  readonly id: string;
  readonly projectId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  /** Empty for a text-only email. */
  readonly html: string;
  readonly text: string;
  /** Unsubscribes the recipient from the category of this email. */
  readonly unsubscribeUrl?: string;
}

/** Sends emails: to a mail server, to the catcher of development, or to a test. */
export interface Transport {
  /** The server in the log of sent emails, without its password. */
  readonly server: { readonly host: string; readonly port: number; readonly username: string };
  /** @returns the failure, null on success */
  send(message: Message): Promise<MailFailure | null>;
  /** Whether an email would delay emails to other servers; absent means that there is always room. */
  room?(): Room;
  close(): void;
}

/** The transport of production without a mail server: every email fails, and the log says why. */
export const noTransport: Transport = {
  server: { host: '', port: 0, username: '' },
  send: async () => ({
    type: 'HOST_NOT_FOUND',
    canRetry: false,
    message: 'There is no mail server: TESSERA_SMTP_URL is not set.',
    raw: {},
  }),
  close: () => undefined,
};
