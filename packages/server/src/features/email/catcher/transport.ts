import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { mailOf } from '../transport/smtp.ts';
import type { Message, Transport } from '../transport/transport.ts';

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
      const sealed = deps.secrets.encrypt(caughtMailPurpose, JSON.stringify(await contentOf(message)));
      await insertCaught(deps.db, { ...message, sealed, caughtAtMillis: deps.clock.now() });
      await deleteOldCaught(deps.db);
      return null;
    },
    close: () => undefined,
  };
}

export function createCatcher(deps: CatcherDeps): Catcher {
  const opened = ({ sealed, ...row }: CaughtRow): CaughtMail => ({
    ...row,
    ...(JSON.parse(deps.secrets.decrypt(caughtMailPurpose, sealed).toString()) as Content),
  });
  return {
    list: async () => (await selectCaught(deps.db)).map(opened),
    find: async id => (await selectOneCaught(deps.db, id)).map(opened)[0],
  };
}

type Content = Pick<CaughtMail, 'from' | 'to' | 'subject' | 'html' | 'text' | 'headers'>;

async function contentOf(message: Message): Promise<Content> {
  const { createTransport } = await import('nodemailer');
  const { message: raw } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mailOf(message));
  const { from, to, subject, html, text } = message;
  const headers = raw.toString().replaceAll('\r\n', '\n').split('\n\n')[0] ?? '';
  return { from, to, subject, html, text, headers };
}

interface CaughtRow {
  readonly id: string;
  readonly projectId: string;
  readonly sealed: Buffer;
  readonly caughtAtMillis: number;
}

/** An email that is delivered twice is stored once. */
async function insertCaught(db: Queryable, { projectId, id, sealed, caughtAtMillis }: CaughtRow): Promise<void> {
  await db.query(sql`
    insert into caught_mails (project_id, id, message, caught_at_millis)
    values (${projectId}, ${id}, ${sealed}, ${caughtAtMillis})
    on conflict (project_id, id) do nothing
  `);
}

async function deleteOldCaught(db: Queryable): Promise<void> {
  await db.query(sql`
    delete from caught_mails where (project_id, id) in (
      select project_id, id from caught_mails order by caught_at_millis desc, id offset ${kept}
    )
  `);
}

function selectCaught(db: Queryable): Promise<CaughtRow[]> {
  return db.query<CaughtRow>(sql`
    select id, project_id as "projectId", message as sealed, caught_at_millis as "caughtAtMillis"
    from caught_mails order by caught_at_millis desc, id
  `);
}

function selectOneCaught(db: Queryable, id: string): Promise<CaughtRow[]> {
  return db.query<CaughtRow>(sql`
    select id, project_id as "projectId", message as sealed, caught_at_millis as "caughtAtMillis"
    from caught_mails where id = ${id}
  `);
}
