import type { EmailTheme, Json } from '@tessera/protocol';
import * as z from 'zod';
import type { Project } from '../../../core/project.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { WrittenByNewerVersion } from '../../../platform/queue/newer-version.ts';
import { mailContentOf } from '../rendering/content.ts';
import { type Frame, footerLines, type Unsubscription } from '../rendering/look.ts';
import { type Rendered, renderEmail, renderMessageBlocks } from '../rendering/render.ts';
import type { MailTemplate } from '../templates/mail-template.ts';
import { noticeFacts } from '../templates/notice-facts.ts';
import { isNotice } from '../templates/notices.ts';
import { builtInTemplates } from '../templates/templates.ts';
import { renderFramed, renderFramedText } from '../templates/themes.ts';
import type { Message } from '../transport/transport.ts';
import { decryptBulkEmailBody } from './bulk-email.ts';
import { mailVariablesPurpose, type Template } from './mail.ts';
import { type MailRow, selectBody } from './store.ts';

const variablesSchema = z.record(z.string(), z.string().optional());

/** Creates an unsubscribe link; undefined for a deleted user. */
export type UnsubscribeLink = (reader: {
  projectId: string;
  userId: string;
  categoryId: string;
}) => Promise<Unsubscription | undefined>;

interface RenderingDeps {
  readonly deps: { readonly db: Queryable; readonly secrets: Secrets };
  readonly unsubscribeLink: UnsubscribeLink;
  readonly frame: Frame;
}

/**
 * Renders a queued email: a template with its variables, or a copy of a message.
 *
 * @returns undefined when there is nothing left to send
 */
export async function renderMessage(
  mail: MailRow & { id: string; projectId: string },
  { displayName, config }: Pick<Project, 'displayName' | 'config'>,
  { deps, unsubscribeLink, frame }: RenderingDeps,
): Promise<Pick<Message, keyof Rendered | 'unsubscribeUrl'> | undefined> {
  if (mail.bodyId !== null) return renderBulkEmail({ ...mail, bodyId: mail.bodyId }, { deps, unsubscribeLink, frame });
  if (mail.variables === null) return undefined;
  if (!isTemplate(mail.template)) throw new WrittenByNewerVersion(`a mail of an unknown template: ${mail.template}`);
  const plain = deps.secrets.decrypt(mailVariablesPurpose, mail.variables);
  const given = variablesSchema.parse(JSON.parse(plain.toString()));
  const facts = isNotice(mail.template) ? noticeFacts(given, { atMillis: mail.createdAtMillis, config }) : {};
  const variables = { ...given, ...facts };
  const { senderAddress, branding } = frame;
  return renderEmail(
    { template: mail.template, variables, projectDisplayName: displayName, senderAddress, branding },
    ownTemplate(mail),
  );
}

async function renderBulkEmail(
  { projectId, userId, userDisplayName, unwantedCategoryIds, bodyId }: MailRow & { projectId: string; bodyId: string },
  { deps, unsubscribeLink, frame }: RenderingDeps,
): Promise<Pick<Message, keyof Rendered | 'unsubscribeUrl'> | undefined> {
  const encrypted = await selectBody(deps.db, projectId, bodyId);
  if (encrypted === undefined || userId === null) return undefined;
  const body = decryptBulkEmailBody(encrypted, deps);
  const { endsCategoryId } = body;
  // The user has unsubscribed since the email was queued, by the link in another one for example.
  if (endsCategoryId !== null && unwantedCategoryIds.includes(endsCategoryId)) return undefined;
  const unsubscription =
    endsCategoryId === null ? undefined : await unsubscribeLink({ projectId, userId, categoryId: endsCategoryId });
  // The user was deleted.
  if (endsCategoryId !== null && unsubscription === undefined) return undefined;
  return {
    ...('blocks' in body
      ? await renderBlocks(body, { userDisplayName, frame: { ...frame, message: { unsubscription } } })
      : renderHtml(body, { frame, unsubscription })),
    ...(unsubscription && { unsubscribeUrl: unsubscription.url }),
  };
}

function renderBlocks(
  { subject, blocks }: { subject: string; blocks: Json },
  reader: { userDisplayName: string | null; frame: Frame },
): Promise<Rendered> {
  return renderMessageBlocks({ subject, content: mailContentOf(blocks) ?? {} }, reader);
}

function renderHtml(
  { subject, theme, html, text }: { subject: string; theme: EmailTheme; html: string; text: string },
  { frame, unsubscription }: { frame: Frame; unsubscription: Unsubscription | undefined },
): Rendered {
  const footer = unsubscription && { unsubscription, sender: footerLines(frame) };
  return { subject, html: renderFramed({ theme, html, subject, footer }), text: renderFramedText(text, footer) };
}

/** The template that the project has changed; undefined for the built-in one. */
function ownTemplate({ ownSubject, ownContent }: MailRow): MailTemplate | undefined {
  return ownSubject === null ? undefined : { subject: ownSubject, content: mailContentOf(ownContent) ?? {} };
}

function isTemplate(name: string): name is Template {
  return Object.hasOwn(builtInTemplates, name);
}
