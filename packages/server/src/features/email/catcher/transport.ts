import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import { composeEmail } from '../transport/compose.ts';
import type { Message, Transport } from '../transport/transport.ts';
import { type CaughtRow, deleteOldCaught, insertCaught, selectCaught, selectOneCaught } from './store.ts';

/** An email that was caught instead of sent. */
export interface CaughtMail {
  readonly id: string;
  readonly projectId: string;
  readonly from: Message['from'];
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The header lines of the SMTP message. */
  readonly headers: string;
  readonly caughtAtMillis: number;
}

export interface Catcher {
  /** Newest first. */
  list(): Promise<CaughtMail[]>;
  find(id: string): Promise<CaughtMail | undefined>;
}

interface CatcherDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Encryption purpose of caught emails, which contain codes. */
export const caughtMailPurpose = 'caught mail';
const kept = 200;

/** The development transport: stores emails instead of sending them. */
export function catcherTransport(deps: CatcherDeps): Transport {
  return {
    server: { host: 'the mail catcher', port: 0, username: '' },
    async send(message) {
      const encrypted = deps.secrets.encrypt(caughtMailPurpose, JSON.stringify(contentOf(message)));
      await insertCaught(deps.db, { ...message, encrypted, caughtAtMillis: deps.clock.now() });
      await deleteOldCaught(deps.db, kept);
      return null;
    },
    close: () => undefined,
  };
}

export function createCatcher(deps: CatcherDeps): Catcher {
  const decryptCaught = ({ encrypted, ...row }: CaughtRow): CaughtMail => ({
    ...row,
    ...(JSON.parse(deps.secrets.decrypt(caughtMailPurpose, encrypted).toString()) as Content),
  });
  return {
    list: async () => (await selectCaught(deps.db)).map(decryptCaught),
    find: async id => (await selectOneCaught(deps.db, id)).map(decryptCaught)[0],
  };
}

type Content = Pick<CaughtMail, 'from' | 'to' | 'subject' | 'html' | 'text' | 'headers'>;

function contentOf(message: Message): Content {
  const { from, to, subject, html, text } = message;
  const [headers = ''] = composeEmail(message, Date.now()).replaceAll('\r\n', '\n').split('\n\n');
  return { from, to, subject, html, text, headers };
}
