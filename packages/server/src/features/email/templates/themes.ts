import type { EmailTheme } from '@tessera/protocol';
import { Html, html } from '../../../platform/html.ts';
import { bare, undeterminedLanguage } from '../rendering/html-style.ts';
import type { Unsubscription } from '../rendering/look.ts';

/** Authored HTML as safe HTML and as text. */
export interface AuthoredContent {
  readonly html: string;
  readonly text: string;
}

/**
 * Sanitizes HTML of an author (control 75) and converts it to text. Nothing is loaded, and time and memory grow linearly
 * with the text (control 88). The libraries are loaded at the first use.
 *
 * @throws MarkupError with a message for the author
 */
export async function sanitizeAuthoredHtml(markup: string): Promise<AuthoredContent> {
  const { convertToText, sanitizeMarkup } = await import('../rendering/markup/index.ts');
  const html = sanitizeMarkup(markup);
  return { html, text: convertToText(html) };
}

interface Footer {
  readonly unsubscription: Unsubscription;
  /** The lines that name the sender. */
  readonly sender: readonly string[];
}

interface Framed {
  readonly theme: EmailTheme;
  /** Result of `sanitizeAuthoredHtml`. */
  readonly html: string;
  readonly subject?: string;
  /** The footer of an email whose category users can switch off. */
  readonly footer?: Footer | undefined;
}

const looks = {
  'default-light': { scheme: 'light', page: '#ffffff', ink: '#18181b', quiet: '#6b7280', line: '#e4e4e7' },
  'default-dark': { scheme: 'dark', page: '#0f0f11', ink: '#f4f4f5', quiet: '#a1a1aa', line: '#2f2f35' },
} as const satisfies Record<EmailTheme, object>;

/** Wide pictures and long lines of code would widen the column, also on a phone. Styles of the author come later. */
const narrow = 'img { max-width: 100%; object-fit: contain } pre { white-space: pre-wrap }';

/**
 * The complete email: the content in a centred column of at most 600 pixels
 * (docs/contract/emails-webhooks-metrics.md#themes-and-rendering).
 */
export function renderFramed({ theme, html: written, subject = '', footer }: Framed): string {
  const { scheme, page, ink } = looks[theme];
  const text = `color:${ink};font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;word-break:break-word`;
  return html`<!doctype html>
<html lang="${undeterminedLanguage}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${scheme}">
<title>${subject}</title>
<style>${new Html(narrow)}</style>
</head>
<body style="margin:0;padding:0;background-color:${page};-webkit-text-size-adjust:100%">
<table ${bare} width="100%" bgcolor="${page}" style="background-color:${page}"><tr><td style="padding:32px 16px">
<table ${bare} align="center" width="100%" style="max-width:600px;margin:0 auto"><tr><td style="${text}">
${new Html(written)}${footer && footerOf(theme, footer)}
</td></tr></table>
</td></tr></table>
</body>
</html>
`.text;
}

function footerOf(theme: EmailTheme, { unsubscription, sender }: Footer): Html {
  const { quiet, line } = looks[theme];
  const box = `margin-top:32px;padding-top:16px;border-top:1px solid ${line};color:${quiet};font-size:13px;white-space:pre-line`;
  return html`
<div style="${box}">${sender.join('\n')}
<a href="${unsubscription.url}" target="_blank" style="color:${quiet}">Unsubscribe from ${unsubscription.categoryName}</a></div>`;
}

/** The plain text of the complete email. */
export function renderFramedText(text: string, footer?: Footer): string {
  const end = footer === undefined ? [] : ['---', footerText(footer)];
  return `${[text, ...end].filter(part => part !== '').join('\n\n')}\n`;
}

function footerText({ unsubscription, sender }: Footer): string {
  return [...sender, `Unsubscribe from ${unsubscription.categoryName}:`, unsubscription.url].join('\n');
}
