import { Html, html } from '../../../platform/html.ts';
import { lazily } from '../../../platform/lazily.ts';
import { emailActions } from './rules.ts';
import { stylesheet } from './stylesheet.ts';
import type { CaughtMail } from './transport.ts';

const parts = { html: 'HTML', text: 'Text', headers: 'Headers' } as const;

/** The tabs of an email. */
export type Part = keyof typeof parts;

export function isPart(name: string): name is Part {
  return Object.hasOwn(parts, name);
}

/** Reloads the page in the background while it is visible, and replaces the changed panels. */
export const script = `
const panels = ['emails', 'email'];
async function refresh() {
  if (document.hidden) return;
  const response = await fetch(location.href).catch(() => undefined);
  if (response === undefined || response.status >= 500) return;
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  document.title = next.title;
  for (const id of panels) {
    const old = document.getElementById(id);
    const fresh = next.getElementById(id);
    if (old === null || fresh === null || old.dataset.version === fresh.dataset.version) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    const scrolled = old.scrollTop;
    old.replaceWith(fresh);
    fresh.scrollTop = scrolled;
    if (focused !== null) [...fresh.querySelectorAll('a')].find(link => link.getAttribute('href') === focused)?.focus();
  }
}
setInterval(refresh, 1500);
document.addEventListener('visibilitychange', refresh);
`;

interface MailPage {
  /** The path in front of every path of the server: empty unless a proxy adds a prefix. */
  readonly prefix: string;
  /** Newest first. */
  readonly mails: readonly CaughtMail[];
  /** The email in the URL. The list page shows the newest one on wide screens. */
  readonly chosen?: CaughtMail | undefined;
  readonly part: Part;
  readonly isList: boolean;
  /** The mail server that is used instead of the catcher, if any. */
  readonly mailHost?: string | undefined;
}

export function mailPage({ prefix, mails, chosen, part, isList, mailHost }: MailPage): Html {
  const inbox = `${prefix}/dev/mail`;
  const shown = isList ? mails[0] : chosen;
  const title = isList || chosen === undefined ? `Mail (${mails.length})` : chosen.subject;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · Tessera</title>
<style>${new Html(stylesheet)}</style>
</head>
<body class="${isList ? 'list' : 'one'}">
<header>
  <a class="home" href="${prefix}/"><span class="mark" aria-hidden="true"></span>Tessera</a>
  <h1><a href="${inbox}">Mail</a></h1>
  <p>${mailHost === undefined ? 'Caught on this machine. Nothing was sent.' : `Sent through ${mailHost}`}</p>
</header>
<main>
${mails.length === 0 && isList ? emptyInbox(mailHost) : [emailList(mails, shown, inbox), emailPanel(shown, part, inbox)]}
</main>
<script>${new Html(script)}</script>
</body>
</html>
`;
}

function emptyInbox(mailHost: string | undefined): Html {
  const hint =
    mailHost === undefined
      ? 'When your app asks for a sign-in code, a password reset or an invitation, the email appears here. This page refreshes by itself.'
      : `Emails are not caught: they are sent through ${mailHost}, because TESSERA_SMTP_URL is set.`;
  return html`<section id="emails" class="empty" data-version="0">
  ${envelope}
  <h2>No mail yet</h2>
  <p>${hint}</p>
</section>`;
}

function emailList(mails: readonly CaughtMail[], shown: CaughtMail | undefined, inbox: string): Html {
  const version = `${mails.length} ${mails[0]?.id} ${shown?.id}`;
  return html`<nav id="emails" aria-label="Emails" data-version="${version}">
<ol>
${mails.map(
  mail => html`<li><a href="${inbox}/${mail.id}"${mail.id === shown?.id ? html` aria-current="true"` : undefined}>
  <span class="subject">${mail.subject}</span>
  <span class="to">${mail.to}</span>
  ${moment(mail.caughtAtMillis)}
</a></li>
`,
)}</ol>
</nav>
`;
}

function emailPanel(mail: CaughtMail | undefined, part: Part, inbox: string): Html {
  if (mail === undefined) {
    return html`<article id="email" data-version="0" class="missing">
  <h2>This email is gone</h2>
  <p>The catcher keeps the newest 200. <a href="${inbox}">All emails</a></p>
</article>`;
  }
  return html`<article id="email" data-version="${mail.id}" aria-labelledby="subject">
<a class="back" href="${inbox}">← All mail</a>
<h2 id="subject">${mail.subject}</h2>
<dl>
  <div><dt>From</dt><dd>${mail.from.name} &lt;${mail.from.address}&gt;</dd></div>
  <div><dt>To</dt><dd>${mail.to}</dd></div>
  <div><dt>When</dt><dd>${moment(mail.caughtAtMillis)}</dd></div>
</dl>
${actions(mail)}
<nav class="parts" aria-label="Parts of the email">
${(Object.keys(parts) as Part[]).map(
  name =>
    html`<a href="${inbox}/${mail.id}?part=${name}"${name === part ? html` aria-current="page"` : undefined}>${parts[name]}</a>`,
)}
</nav>
${body(mail, part, inbox)}
</article>
`;
}

/** The code and the link of the email, so that the developer need not search for them. */
function actions({ text }: CaughtMail): Html | undefined {
  const { link, otp } = emailActions(text);
  if (link === null && otp === null) return undefined;
  return html`<p class="actions">
  ${otp === null ? undefined : html`<code class="otp" aria-label="Code">${otp}</code>`}
  ${link === null ? undefined : html`<a class="button" href="${link}" target="_blank" rel="noreferrer">Open the link</a>`}
</p>
`;
}

function body(mail: CaughtMail, part: Part, inbox: string): Html {
  switch (part) {
    case 'html':
      return html`<iframe title="The email" src="${inbox}/${mail.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>\n`;
    case 'text':
      return html`<pre class="text" tabindex="0">${mail.text}</pre>\n`;
    case 'headers':
      return html`<pre tabindex="0">${mail.headers}</pre>\n`;
  }
}

const time = lazily(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }));

function moment(atMillis: number): Html {
  const at = new Date(atMillis);
  return html`<time datetime="${at.toISOString()}">${time().format(at)}</time>`;
}

const envelope = html`<svg viewBox="0 0 48 48" width="48" height="48" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true"><rect x="5" y="11" width="38" height="27" rx="4"/><path d="m6 14 18 14 18-14"/></svg>`;
