import { randomUUID } from 'node:crypto';
import { type EmailTheme, emailThemes } from '@tessera/protocol';
import * as z from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { addJobs } from '../../../platform/queue/jobs.ts';
import { cleanSubject } from '../rendering/render.ts';
import type { Written } from '../templates/themes.ts';
import { mailTask } from './index.ts';
import { insertBody, insertCopies } from './store.ts';

/** Instead of the name of a template, in the post. */
export const broadcastName = 'broadcast';

/** A text that many get. */
export interface Broadcast {
  readonly subject: string;
  readonly theme: EmailTheme;
  readonly written: Written;
  /** The kind of mail that a reader may end by a link in it; null for what everybody gets. */
  readonly endsCategoryId: string | null;
}

export interface Reader {
  readonly userId: string;
  readonly address: string;
}

/** With `Subject: ` in front still a line that mail servers take. */
const subjectMaxLength = 900;
/** Of texts that several letters share, at rest. */
export const mailBodyPurpose = 'mail body';

const sealedBody = z.object({
  subject: z.string(),
  theme: z.enum(emailThemes),
  html: z.string(),
  text: z.string(),
  endsCategoryId: z.string().nullable(),
});

export type BroadcastBody = z.infer<typeof sealedBody>;

/** Keeps a text for the letters that will need it. @returns its id */
export async function keepBroadcast(
  tx: Transaction,
  projectId: string,
  { subject, theme, written, endsCategoryId }: Broadcast,
  { secrets }: { secrets: Secrets },
): Promise<string> {
  const id = randomUUID();
  const body: BroadcastBody = { subject: cleanSubject(subject, subjectMaxLength), theme, ...written, endsCategoryId };
  await insertBody(tx, projectId, { id, sealed: secrets.encrypt(mailBodyPurpose, JSON.stringify(body)) });
  return id;
}

/** Puts a letter for each reader into the post; the users must be there until the transaction ends. */
export async function enqueueCopies(
  tx: Transaction,
  projectId: string,
  { bodyId, readers }: { bodyId: string; readers: readonly Reader[] },
  { clock }: { clock: Clock },
): Promise<void> {
  if (readers.length === 0) return;
  const copies = readers.map(({ userId, address }) => ({ id: randomUUID(), userId, recipient: address }));
  await insertCopies(tx, projectId, { template: broadcastName, bodyId, copies, createdAtMillis: clock.now() });
  const references = copies.map(({ id }) => ({ projectId, id }));
  await addJobs(tx, mailTask, references);
}

/** A text as it was kept. */
export function openBroadcast(sealed: Buffer, { secrets }: { secrets: Secrets }): BroadcastBody {
  return sealedBody.parse(JSON.parse(secrets.decrypt(mailBodyPurpose, sealed).toString()));
}
