import { oauthProviderNames } from '@tessera/protocol';
import { htmlType } from '../../http/response/content-types.ts';
import { commonHeaders } from '../../http/response/respond.ts';
import { Html, html } from '../../platform/html.ts';

export const pagePolicy = [
  `default-src 'none'`,
  `style-src 'unsafe-inline'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
  // No form-action: browsers apply it to redirects, too, and the last redirect leads to the app.
].join('; ');

export function pageHeaders(publicUrl: string): Record<string, string> {
  return {
    ...commonHeaders(publicUrl.startsWith('https:')),
    'content-type': htmlType,
    'content-security-policy': pagePolicy,
    'referrer-policy': 'no-referrer',
  };
}

/** The sign-in page. It works without scripts. */
export function signInPage(page: {
  readonly providerId: string;
  /** Earlier names, newest first. */
  readonly recent: readonly string[];
  readonly problem?: string;
}): string {
  const name = nameOf(page.providerId);
  const problem =
    page.problem === undefined ? undefined : html`<p class="problem" id="problem" role="alert">${page.problem}</p>`;
  return renderPage(
    `${name} (mock provider)`,
    html`<p class="mark">Development</p>
<h1>${name} (mock provider)</h1>
<p>This development server has no keys for ${name}, so this page replaces it. Enter any email address: no password
is checked.</p>
<form method="post">
  <label for="login">Email address</label>
  ${problem}
  <input id="login" name="login" type="text" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false"
    maxlength="255" placeholder="ada@example.com" required autofocus${problemMessage(problem)}>
  <button type="submit">Sign in</button>
</form>
<form method="post"><button name="deny" value="yes" class="quiet">Cancel</button></form>
${page.recent.length === 0 ? undefined : recentPeople(page.recent)}`,
  );
}

/** Buttons instead of a datalist: a field with a datalist is a combobox to screen readers and tests. */
function recentPeople(recent: readonly string[]): Html {
  const buttons = recent.map(
    address => html`<button name="login" value="${address}" class="quiet">${address}</button>`,
  );
  return html`<form method="post" aria-labelledby="recent"><h2 id="recent">Recent accounts</h2>${buttons}</form>`;
}

function problemMessage(problem: Html | undefined): Html {
  return new Html(problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"');
}

/** The page for a visit without a sign-in. */
export function frontPage(): string {
  const content = html`<p class="mark">Development</p>
<h1>Mock provider</h1>
<p>This page replaces GitHub, Google and the other providers while this development server has no keys for them. To use
it, choose a provider on the sign-in page of an app. To use the real GitHub, set
<code>TESSERA_OAUTH_GITHUB_CLIENT_ID</code> and <code>TESSERA_OAUTH_GITHUB_CLIENT_SECRET</code>.</p>`;
  return renderPage('Mock provider', content);
}

/** The page for a sign-in that cannot continue. */
export function endedPage(sentence: string): string {
  return renderPage('Sign-in ended', html`<h1>Sign-in ended</h1><p>${sentence}</p>`);
}

function nameOf(providerId: string): string {
  return Object.entries(oauthProviderNames).find(([id]) => id === providerId)?.[1] ?? providerId;
}

function renderPage(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · Tessera</title>
<style>${new Html(stylesheet)}</style>
</head>
<body><main>${content}</main></body>
</html>
`.text;
}

const stylesheet = `
:root {
  color-scheme: light dark;
  --page: #f4f4f5; --panel: #fff; --ink: #18181b; --quiet: #5f6169; --line: #85868f; --accent: #4338ca; --on-accent: #fff;
  --warning: #78350f; --warning-page: #fef3c7; --problem: #b91c1c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0c0c0e; --panel: #161619; --ink: #f4f4f5; --quiet: #a1a1aa; --line: #71717a; --accent: #a5b4fc; --on-accent: #16172e;
    --warning: #fde68a; --warning-page: #3b2a0a; --problem: #fca5a5;
  }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page); }
main { width: 100%; max-width: 26rem; padding: 2rem; border-radius: .75rem; background: var(--panel); border: 1px solid color-mix(in srgb, var(--line) 35%, transparent); }
h2 { margin: 1rem 0 0; font-size: .9375rem; font-weight: 600; }
h1 { margin: .75rem 0 .5rem; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; }
code { overflow-wrap: anywhere; }
p { margin: 0 0 1.25rem; color: var(--quiet); }
.mark { display: inline-block; margin: 0; padding: .1rem .6rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; color: var(--warning); background: var(--warning-page); }
.problem { margin: 0 0 .35rem; color: var(--problem); }
form { display: grid; gap: .75rem; margin-top: .75rem; }
label { font-weight: 600; margin-bottom: -.4rem; }
input, button { font: inherit; padding: .6rem .8rem; border-radius: .5rem; border: 1px solid var(--line); color: var(--ink); background: var(--panel); }
button { font-weight: 600; border-color: transparent; color: var(--on-accent); background: var(--accent); cursor: pointer; }
button.quiet { color: var(--ink); background: none; border-color: var(--line); overflow-wrap: anywhere; }
::placeholder { color: var(--quiet); opacity: 1; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
