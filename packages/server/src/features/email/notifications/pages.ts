import { createHash } from 'node:crypto';
import { Html, html } from '../../../platform/html.ts';

const style = `body { font: 16px/1.6 system-ui, sans-serif; max-width: 28rem; margin: 20vh auto; padding: 0 1.5rem }
button { font: inherit; padding: .5rem 1.25rem }`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The URL contains a code: no referrer is sent, and no other site can frame the page. */
export const unsubscribeHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** The category that a link unsubscribes from. */
export interface EndedMail {
  readonly projectName: string;
  readonly categoryName: string;
}

/** Asks for confirmation, because mail scanners open links. The form posts to the URL of the page. */
export function askingPage({ projectName, categoryName }: EndedMail): string {
  return page(
    'Unsubscribe',
    html`<p>Stop receiving ${categoryName} mail from ${projectName}?</p>
<form method="post"><button>Unsubscribe</button></form>`,
  );
}

export function donePage({ projectName, categoryName }: EndedMail): string {
  return page('Unsubscribed', html`<p>You will not receive ${categoryName} mail from ${projectName} any more.</p>`);
}

export function doneBeforePage({ projectName, categoryName }: EndedMail): string {
  const text = `This link has been used before, to stop ${categoryName} mail from ${projectName}. Nothing has changed.`;
  return page('Already unsubscribed', html`<p>${text}</p>`);
}

/** The page for an incomplete, unknown or expired link. */
export function badLinkPage(text: string): string {
  return page('This link does not work', html`<p>${text}</p>`);
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
<h1>${title}</h1>
${content}
</html>
`.text;
}
