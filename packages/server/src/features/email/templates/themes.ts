import type { EmailTheme } from '@tessera/protocol';
import { Html, html } from '../../../platform/html.ts';
import { convertToText } from '../rendering/markup/read.ts';
import { parseMarkup } from '../rendering/markup/tree.ts';
import { serializeMarkup } from '../rendering/markup/written.ts';

export { MarkupError } from '../rendering/markup/tokens.ts';

/** Authored HTML as safe HTML and as text. */
export interface AuthoredContent {
  readonly html: string;
  readonly text: string;
}

/**
 * Parses HTML of an author. Active content is removed, and all elements are closed, so that they cannot hide what
 * follows. Nothing is loaded, and time and memory grow linearly with the text (control 88).
 *
 * @throws MarkupError with a message for the author
 */
export function parseAuthoredHtml(markup: string): AuthoredContent {
  const tree = parseMarkup(markup);
  return { html: serializeMarkup(tree), text: convertToText(tree) };
}

interface Framed {
  readonly theme: EmailTheme;
  /** Result of `parseAuthoredHtml`. */
  readonly html: string;
  readonly subject?: string;
  /** For categories that can be disabled. */
  readonly unsubscribeLink?: string | undefined;
}

const looks = {
  'default-light': { scheme: 'light', page: '#ffffff', ink: '#18181b', quiet: '#6b7280', line: '#e4e4e7' },
  'default-dark': { scheme: 'dark', page: '#0f0f11', ink: '#f4f4f5', quiet: '#a1a1aa', line: '#2f2f35' },
} as const satisfies Record<EmailTheme, object>;

const bare = new Html('role="presentation" cellpadding="0" cellspacing="0" border="0"');

/**
 * The complete email: the content in a centred column of at most 600 pixels
 * (docs/contract/emails-webhooks-metrics.md#themes-and-rendering).
 */
export function renderFramed({ theme, html: written, subject = '', unsubscribeLink }: Framed): string {
  const { scheme, page, ink } = looks[theme];
  const text = `color:${ink};font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5`;
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${scheme}">
<title>${subject}</title>
</head>
<body style="margin:0;padding:0;background-color:${page};-webkit-text-size-adjust:100%">
<table ${bare} width="100%" bgcolor="${page}" style="background-color:${page}"><tr><td style="padding:32px 16px">
<table ${bare} align="center" width="100%" style="max-width:600px;margin:0 auto"><tr><td style="${text}">
${new Html(written)}${unsubscribeLink === undefined ? undefined : farewell(theme, unsubscribeLink)}
</td></tr></table>
</td></tr></table>
</body>
</html>
`.text;
}

function farewell(theme: EmailTheme, unsubscribeLink: string): Html {
  const { quiet, line } = looks[theme];
  const box = `margin-top:32px;padding-top:16px;border-top:1px solid ${line};color:${quiet};font-size:13px`;
  return html`
<div style="${box}">You do not want mail of this kind? <a href="${unsubscribeLink}" target="_blank" style="color:${quiet}">Unsubscribe</a></div>`;
}

/** The plain text of the complete email. */
export function renderFramedText(text: string, unsubscribeLink?: string): string {
  const end = unsubscribeLink === undefined ? [] : ['---', `Unsubscribe:\n${unsubscribeLink}`];
  return `${[text, ...end].filter(part => part !== '').join('\n\n')}\n`;
}
