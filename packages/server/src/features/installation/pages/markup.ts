import { passwordMinLength } from '@tessera/protocol';
import { Html, html } from '../../../platform/html.ts';
import { script } from './script.ts';

const stylesheet = `
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; }
  h1 { font-size: 1.5rem; letter-spacing: -0.01em; }
  label { display: block; margin: 0.8rem 0 0.2rem; }
  input { font: inherit; box-sizing: border-box; width: 100%; padding: 0.45rem 0.6rem; }
  button { font: inherit; margin-top: 1.2rem; padding: 0.45rem 1.2rem; }
  code { overflow-wrap: anywhere; }
`;

/** The page of the first-owner link, with the form that creates the account of the owner. */
export function firstOwnerPage(publishableClientKey: string | undefined): Html {
  return page(
    'The first owner',
    html`<p>This link works once. The account that you open here owns this installation: project <code>internal</code>, and the projects that you make.</p>
${form('owner', publishableClientKey, [emailField, newPasswordField], 'Open the account')}
<p data-next hidden>Now log in on your command line: <code>tessera login --project internal</code>. Then <code>tessera projects create "My app"</code> makes a project, and <code>tessera keys create</code> its keys.</p>`,
  );
}

/** The page on which a user confirms the login of the command line. */
export function cliLoginPage(publishableClientKey: string | undefined): Html {
  return page(
    'Log in on your command line',
    html`<p>A program has asked to act in your name. Go on only if you have just started it yourself, and it shows the same address.</p>
${form('login', publishableClientKey, [emailField, passwordField, totpField], 'Log in')}`,
  );
}

/** The page for all other links in emails and programs. */
export function noDashboardPage(publicUrl: string): Html {
  return page(
    'No dashboard yet',
    html`<p>This version of Tessera comes without its dashboard. What it will show can be had from the API, with the admin key of your project:</p>
<ul>
  <li>mails, and why they failed: <code>${publicUrl}/api/v1/internal/emails</code></li>
  <li>settings: <code>${publicUrl}/api/v1/internal/projects/current</code></li>
  <li>numbers: <code>${publicUrl}/api/v1/internal/metrics</code></li>
</ul>
<p>The command line does the rest: <code>tessera --help</code>. Everything that there is stands in <a href="/api/v1/openapi.json">the description of the API</a>.</p>`,
  );
}

const emailField = html`<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required>`;

const newPasswordField = html`<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${passwordMinLength}" required>`;

const passwordField = html`<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>`;

const totpField = html`<label for="totp">Code of your authenticator app, if you use one</label>
<input id="totp" name="totp" inputmode="numeric" autocomplete="one-time-code">`;

function form(work: 'owner' | 'login', key: string | undefined, fields: readonly Html[], action: string): Html {
  if (key === undefined) {
    return html`<p>This server does not know the publishable key of project <code>internal</code>. Set <code>TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY</code> and the two others, or start it with its data folder.</p>`;
  }
  return html`<form data-work="${work}" data-key="${key}">
${fields}
<button>${action}</button>
</form>
<p role="status"></p>`;
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · Tessera</title>
<style>${new Html(stylesheet)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
<script>${new Html(script)}</script>
</body>
</html>
`;
}
