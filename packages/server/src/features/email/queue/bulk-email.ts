import { randomUUID } from 'node:crypto';
import { type EmailTheme, emailThemes, type Json } from '@tessera/protocol';
import * as z from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { addJobs } from '../../../platform/queue/add-job.ts';
import { cleanSubject } from '../rendering/render.ts';
import type { AuthoredContent } from '../templates/themes.ts';
import { mailPriority, mailTask } from './mail.ts';
import { insertBody, insertCopies } from './store.ts';

/** Stored in the template column of emails with a shared body. */
export const bulkEmailTemplate = 'broadcast';

/** One content for many recipients. */
export interface BulkEmail {
  readonly subject: string;
  readonly theme: EmailTheme;
  readonly written: AuthoredContent;
  /** The category that the unsubscribe link ends; null without an unsubscribe link. */
  readonly endsCategoryId: string | null;
}

export interface Recipient {
  readonly userId: string;
  readonly address: string;
}

/** Maximum length of a subject: with `Subject: ` in front it fits the line length of SMTP. */
const subjectMaxLength = 900;
/** Encryption purpose of bodies that several emails share. */
export const mailBodyPurpose = 'mail body';

const bodySchema = z.union([
  z.object({
    subject: z.string(),
    theme: z.enum(emailThemes),
    html: z.string(),
    text: z.string(),
    endsCategoryId: z.string().nullable(),
  }),
  // A message to users: its blocks are rendered for each of them.
  z.object({ subject: z.string(), blocks: z.json(), endsCategoryId: z.string().nullable() }),
]);

export type BulkEmailBody = z.infer<typeof bodySchema>;

/** Stores the encrypted body. @returns its id */
export async function storeBulkEmailBody(
  tx: Transaction,
  projectId: string,
  { subject, theme, written, endsCategoryId }: BulkEmail,
  { secrets }: { secrets: Secrets },
): Promise<string> {
  const id = randomUUID();
  const body: BulkEmailBody = { subject: cleanSubject(subject, subjectMaxLength), theme, ...written, endsCategoryId };
  await insertBody(tx, projectId, { id, encrypted: secrets.encrypt(mailBodyPurpose, JSON.stringify(body)) });
  return id;
}

/** Stores the encrypted blocks of a message to users, for a batch of them. @returns its id */
export async function storeMessageBody(
  tx: Transaction,
  projectId: string,
  body: { readonly subject: string; readonly blocks: Json; readonly endsCategoryId: string | null },
  { secrets }: { secrets: Secrets },
): Promise<string> {
  const id = randomUUID();
  await insertBody(tx, projectId, { id, encrypted: secrets.encrypt(mailBodyPurpose, JSON.stringify(body)) });
  return id;
}

interface Copies {
  readonly bodyId: string;
  readonly recipients: readonly Recipient[];
  readonly messageId?: string;
  /** Default false. */
  readonly countsInQuota?: boolean;
}

/** Adds one email per recipient to the queue. The caller must lock the users until the transaction ends. */
export async function enqueueCopies(
  tx: Transaction,
  projectId: string,
  { bodyId, recipients, messageId, countsInQuota = false }: Copies,
  { clock }: { clock: Clock },
): Promise<void> {
  if (recipients.length === 0) return;
  const copies = recipients.map(({ userId, address }) => ({ id: randomUUID(), userId, recipient: address }));
  const shared = { template: bulkEmailTemplate, bodyId, messageId: messageId ?? null, countsInQuota };
  await insertCopies(tx, projectId, { ...shared, copies, createdAtMillis: clock.now() });
  const references = copies.map(({ id }) => ({ projectId, id }));
  await addJobs(tx, mailTask, references, { priority: mailPriority({ bodyId }), flags: [projectId] });
}

/** Decrypts a stored body. */
export function decryptBulkEmailBody(encrypted: Buffer, { secrets }: { secrets: Secrets }): BulkEmailBody {
  return bodySchema.parse(JSON.parse(secrets.decrypt(mailBodyPurpose, encrypted).toString()));
}
