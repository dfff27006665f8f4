import type { MailFailure } from '../queue/failures.ts';

/** A letter as it is handed over. */
export interface Message {
  /** The same each time a letter is sent: whoever gets one twice can know. */
  readonly id: string;
  readonly projectId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  /** Empty for a mail that is text only. */
  readonly html: string;
  readonly text: string;
  /** Ends mail of this category for the recipient. */
  readonly unsubscribeUrl?: string;
}

/** Takes letters on their way: a mail server, the catcher of development, or a test. */
export interface Transport {
  /** Which server it is, for the log of sent mails; never its password. */
  readonly server: { readonly host: string; readonly port: number; readonly username: string };
  /** @returns why the letter was not taken, null when it was */
  hand(message: Message): Promise<MailFailure | null>;
  /** False while a letter would hold up those to other servers; true where this is left out. */
  hasRoom?(): boolean;
  close(): void;
}

/** Production without a mail server: nothing is sent, and the log says so for each letter. */
export const noTransport: Transport = {
  server: { host: '', port: 0, username: '' },
  hand: async () => ({
    type: 'HOST_NOT_FOUND',
    canRetry: false,
    message: 'There is no mail server: TESSERA_SMTP_URL is not set.',
    raw: {},
  }),
  close: () => undefined,
};
