import { isDeepStrictEqual } from 'node:util';
import type { Template } from '../queue/index.ts';
import { ContentError, type FilledBlock, fillContent } from '../templates/blocks.ts';
import { withMarkdownLinks } from '../templates/links.ts';
import type { MailTemplate } from '../templates/mail-template.ts';
import { memberName, projectName, withoutLinks } from '../templates/names.ts';
import { builtInTemplate, builtInTemplates } from '../templates/templates.ts';
import { asHtml } from './as-html.ts';
import { asText } from './as-text.ts';
import { type Direction, directionOf } from './direction.ts';
import { fill, type Variables } from './fill.ts';
import { applyBranding, type Frame } from './look.ts';

/** A template with its variables, and the sender. */
export interface OutgoingContent {
  readonly template: Template;
  readonly variables: Variables;
  readonly projectDisplayName: string;
  readonly senderAddress: string;
  readonly branding?: Frame['branding'];
}

export interface Rendered {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Variables with user input. */
const nameVariables: ReadonlySet<string> = new Set([
  ...['userDisplayName', 'teamDisplayName', 'inviterDisplayName', 'description', 'ofProject', 'device', 'place'],
]);

/** Variables with the name of a project member, or the address of a member without a name. */
const memberVariables: ReadonlySet<string> = new Set(['inviterName', 'oldOwner', 'newOwner']);

/** Mail servers refuse lines of 1000 characters. */
const subjectMaxLength = 250;

/**
 * Renders an email for its recipient.
 *
 * @param own the template that the project has changed. When its blocks cannot be rendered, the built-in template is
 * used, so that the recipient gets the link.
 */
export async function renderEmail(email: OutgoingContent, own?: MailTemplate): Promise<Rendered> {
  try {
    return await renderEmailStrictly(email, own);
  } catch (error) {
    if (own === undefined || !(error instanceof ContentError)) throw error;
    const { content } = builtInTemplate(email.template, email.variables);
    return renderEmailStrictly(email, { subject: own.subject, content });
  }
}

/** The same without the built-in template in the place of a broken one. @throws ContentError */
export async function renderEmailStrictly(email: OutgoingContent, own?: MailTemplate): Promise<Rendered> {
  const { projectDisplayName, senderAddress, branding = {} } = email;
  const builtIn = builtInTemplate(email.template, email.variables);
  const variables = safeVariables({ ...email.variables, projectDisplayName });
  const frame: Frame = { projectName: projectName(projectDisplayName), senderAddress, branding };
  if (own === undefined) return renderInFrame(builtIn, { variables, frame });
  // A dashboard sends the whole template back when only its subject was changed: the default, not the variant of this email.
  if (isDeepStrictEqual(own.content, builtInTemplates[email.template].content)) {
    return renderInFrame({ ...builtIn, subject: own.subject }, { variables, frame });
  }
  return renderOwn(own, variables);
}

/** Renders a message to users for one of them. @throws ContentError */
export function renderMessageBlocks(
  message: MailTemplate,
  { userDisplayName, frame }: { userDisplayName: string | null; frame: Frame },
): Promise<Rendered> {
  const projectDisplayName = frame.projectName;
  const variables = safeVariables({ userDisplayName: userDisplayName ?? '', projectDisplayName });
  return renderInFrame(message, { variables, frame, direction: directionOf(message.content) });
}

/** Renders an email with the branding of the project, dark mode, a footer, and its first sentence as preview text. */
async function renderInFrame(
  { subject: template, content }: MailTemplate,
  { variables, frame, direction }: { variables: Variables; frame: Frame; direction?: Direction },
): Promise<Rendered> {
  const subject = cleanSubject(await fill(template, variables));
  const root = applyBranding(await fillContent(content, variables), frame);
  const html = asHtml(root, { subject, preview: firstText(root) ?? subject, frame, direction });
  return { subject, html, text: asText(root, frame) };
}

/** An own template of the project is sent as it is, with the subject as preview text. */
async function renderOwn({ subject: template, content }: MailTemplate, variables: Variables): Promise<Rendered> {
  const subject = cleanSubject(await fill(template, variables));
  const root = await fillContent(content, variables);
  const html = asHtml(root, { subject, preview: subject, direction: directionOf(content) });
  return { subject, html, text: asText(root) };
}

/** The first text with words, as a mail program shows it in a list: without the target of a link. */
function firstText({ block, children }: FilledBlock): string | undefined {
  if (block.type === 'Text') return labelsOf(block.data.props?.text ?? '') || undefined;
  return children
    .flat()
    .map(firstText)
    .find(text => text !== undefined);
}

function labelsOf(text: string): string {
  const pieces = withMarkdownLinks(text).map(piece => (typeof piece === 'string' ? piece : piece.label));
  return pieces.join('').trim();
}

/** Removes links and line breaks from names. Links and codes stay unchanged. */
function safeVariables(variables: Variables): Variables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value = '']) => {
      if (nameVariables.has(name)) return [name, withoutLinks(value)];
      if (memberVariables.has(name)) return [name, memberName(value)];
      return [name, name === 'projectDisplayName' ? projectName(value) : value];
    }),
  );
}

/** One line (control 74). */
export function cleanSubject(subject: string, maxLength = subjectMaxLength): string {
  return (
    subject
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, maxLength)
      // Half of an emoji.
      .replace(/[\ud800-\udbff]$/, '')
  );
}
