import type { Template } from '../queue/index.ts';
import { ContentError, fillContent } from '../templates/blocks.ts';
import { projectName, withoutLinks } from '../templates/names.ts';
import { builtInTemplate, type MailTemplate } from '../templates/templates.ts';
import { asHtml } from './as-html.ts';
import { asText } from './as-text.ts';
import { fill, type Variables } from './fill.ts';

export interface Rendered {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Variables with user input. */
const nameVariables: ReadonlySet<string> = new Set(['userDisplayName', 'teamDisplayName', 'description', 'ofProject']);

/** Mail servers refuse lines of 1000 characters. */
const subjectMaxLength = 250;

/**
 * Renders an email for its recipient.
 *
 * @param own the template that the project has changed. When its blocks cannot be rendered, the built-in template is
 * used, so that the recipient gets the link.
 */
export async function renderEmail(
  email: { template: Template; variables: Variables; projectDisplayName: string },
  own?: MailTemplate,
): Promise<Rendered> {
  const builtIn = builtInTemplate(email.template, email.variables);
  const { subject, content } = own ?? builtIn;
  const variables = safeVariables({ ...email.variables, projectDisplayName: email.projectDisplayName });
  try {
    return await renderTemplate({ subject, content }, variables);
  } catch (error) {
    if (!(error instanceof ContentError) || own === undefined) throw error;
    return renderTemplate({ subject, content: builtIn.content }, variables);
  }
}

async function renderTemplate({ subject, content }: MailTemplate, variables: Variables): Promise<Rendered> {
  const filledSubject = cleanSubject(await fill(subject, variables));
  const root = await fillContent(content, variables);
  return { subject: filledSubject, html: asHtml(root, filledSubject), text: asText(root) };
}

/** Removes links and line breaks from names. Links and codes stay unchanged. */
function safeVariables(variables: Variables): Variables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value = '']) => {
      if (nameVariables.has(name)) return [name, withoutLinks(value)];
      return [name, name === 'projectDisplayName' ? projectName(value) : value];
    }),
  );
}

/** One line (control 74). */
export function cleanSubject(subject: string, maxLength = subjectMaxLength): string {
  return subject
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}
