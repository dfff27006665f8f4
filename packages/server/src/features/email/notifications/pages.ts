import { createHash } from 'node:crypto';
import { Html, html } from '../../../platform/html.ts';

const style = `
:root {
  color-scheme: light dark;
  --page: #f4f4f5; --panel: #fff; --ink: #18181b; --quiet: #5f6169; --line: #e4e4e7; --button: #18181b; --on-button: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0c0c0e; --panel: #18181b; --ink: #f4f4f5; --quiet: #a1a1aa; --line: #34343a; --button: #f4f4f5; --on-button: #18181b;
  }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page) }
main { width: 100%; max-width: 27rem; padding: 2rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--panel); overflow-wrap: anywhere }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em }
p { margin: 0; color: var(--quiet) }
form { margin-top: 1.5rem }
button { font: inherit; font-weight: 600; width: 100%; padding: .65rem 1rem; border: 1px solid transparent; border-radius: .5rem; color: var(--on-button); background: var(--button); cursor: pointer }
button.quiet { color: var(--ink); background: none; border-color: var(--quiet) }
button:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
`;
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
  /** The code of the link while it is valid. */
  readonly code?: string | undefined;
}

/** Asks for confirmation, because mail scanners open links. The form posts to the URL of the page. */
export function askingPage({ projectName, categoryName }: EndedMail): string {
  return page(
    `Unsubscribe from ${categoryName}`,
    html`<p>You will no longer receive ${categoryName} emails from ${projectName}.</p>
<form method="post"><button>Unsubscribe</button></form>`,
  );
}

export function donePage(mail: EndedMail): string {
  const { projectName, categoryName } = mail;
  return page(
    'Unsubscribed',
    html`<p>You no longer receive ${categoryName} emails from ${projectName}.</p>${changeAgain(mail, 'resubscribe')}`,
  );
}

/** The link was used before, and the category is still off. */
export function doneBeforePage(mail: EndedMail): string {
  const { projectName, categoryName } = mail;
  return page(
    'Already unsubscribed',
    html`<p>You have already unsubscribed from ${categoryName} emails from ${projectName}.</p>${changeAgain(mail, 'resubscribe')}`,
  );
}

/** The link was used before, and the user receives the category again. */
export function subscribedPage(mail: EndedMail): string {
  const { projectName, categoryName } = mail;
  return page(
    'Subscribed',
    html`<p>You receive ${categoryName} emails from ${projectName} again.</p>${changeAgain(mail, 'unsubscribe')}`,
  );
}

/** A button that changes the choice again. Absent when the link has expired. */
function changeAgain({ code }: EndedMail, action: 'resubscribe' | 'unsubscribe'): Html | undefined {
  if (code === undefined) return undefined;
  const label = action === 'resubscribe' ? 'Undo: subscribe again' : 'Unsubscribe';
  return html`
<form method="post" action="?code=${code}&amp;action=${action}"><button class="quiet">${label}</button></form>`;
}

/** The page for an incomplete, unknown or expired link. */
export function badLinkPage(text: string): string {
  return page(
    'This link does not work',
    html`<p>${text} To unsubscribe, open the link in a newer email, or change your notification settings in your account.</p>`,
  );
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`.text;
}
