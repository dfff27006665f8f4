import { register } from '../api.ts';
import { type CaughtMail, mailTo } from '../mail.ts';
import { newPerson, type Person } from '../people.ts';
import { everything } from '../project.ts';
import type { Scene, Stage } from './scene.ts';

/** The pages of the mail catcher, and the pages behind an unsubscribe link. */
export const mailPageScenes: readonly Scene[] = [
  { name: 'mail-catcher-list', show: openCatcher(() => '') },
  { name: 'mail-catcher-html', show: openCatcher(({ id }) => `/${id}`) },
  { name: 'mail-catcher-text', show: openCatcher(({ id }) => `/${id}?part=text`) },
  { name: 'mail-catcher-headers', show: openCatcher(({ id }) => `/${id}?part=headers`) },
  { name: 'unsubscribe', show: openUnsubscribeLink },
  {
    name: 'unsubscribe-done',
    show: async stage => {
      await openUnsubscribeLink(stage);
      await stage.page.getByRole('button', { name: 'Unsubscribe' }).click();
      await stage.page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
    },
  },
  {
    name: 'unsubscribe-undone',
    show: async stage => {
      await openUnsubscribeLink(stage);
      await stage.page.getByRole('button', { name: 'Unsubscribe' }).click();
      await stage.page.getByRole('button', { name: 'Undo: subscribe again' }).click();
      await stage.page.getByRole('heading', { name: 'Subscribed' }).waitFor();
    },
  },
  {
    name: 'unsubscribe-bad-link',
    show: async ({ page, server }) => {
      await page.goto(`${server.url}/api/v1/emails/unsubscribe-link?code=short`);
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    },
  },
];

/** Emails as a mail program shows them: a document without the landmarks of a page. */
export const emailScenes: readonly Scene[] = [
  { name: 'email-verification', show: async stage => showDocument(stage, await verificationMail(stage)) },
  {
    name: 'email-sign-in-code',
    switches: everything,
    show: async stage => {
      const person = newPerson();
      await post(stage, 'client', '/auth/otp/send-sign-in-code', {
        email: person.email,
        callback_url: 'http://localhost:3000/handler/magic-link-callback',
      });
      await showDocument(stage, await caught(stage, person, /Your code is/));
    },
  },
  {
    name: 'email-password-reset',
    show: async stage => {
      const person = newPerson();
      await register(stage.server, person);
      await post(stage, 'client', '/auth/password/send-reset-code', {
        email: person.email,
        callback_url: 'http://localhost:3000/handler/password-reset',
      });
      await showDocument(stage, await caught(stage, person, /Reset your password/));
    },
  },
  {
    name: 'email-password-changed',
    show: async stage => {
      const person = newPerson();
      const { accessToken } = await register(stage.server, person);
      const body = { old_password: person.password, new_password: 'another quiet lantern' };
      await post(stage, 'client', '/auth/password/update', body, accessToken);
      await showDocument(stage, await caught(stage, person, /Your password was changed/));
    },
  },
  {
    name: 'email-marketing',
    show: async stage => showDocument(stage, await marketingMail(stage)),
  },
];

/** Opens a page of the mail catcher, which has caught an email. */
function openCatcher(pathOf: (mail: CaughtMail) => string): Scene['show'] {
  return async stage => {
    const mail = await verificationMail(stage);
    await stage.page.goto(`${stage.server.url}/dev/mail${pathOf(mail)}`);
  };
}

/** Without the sandbox of the catcher, in which axe cannot run. */
async function showDocument({ page, server }: Stage, { id }: CaughtMail): Promise<void> {
  const response = await fetch(`${server.url}/dev/mail/${id}/html`);
  await page.setContent(await response.text());
}

function caught({ server }: Stage, { email }: Person, about: RegExp): Promise<CaughtMail> {
  return mailTo(server, email, about);
}

async function verificationMail(stage: Stage): Promise<CaughtMail> {
  const person = newPerson();
  await register(stage.server, person);
  return caught(stage, person, /Verify your email/);
}

async function marketingMail(stage: Stage): Promise<CaughtMail> {
  const person = newPerson();
  const { accessToken } = await register(stage.server, person);
  const [, payload = ''] = accessToken.split('.');
  const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  await post(stage, 'server', '/emails/send-email', {
    user_ids: [sub],
    subject: 'New on the shelf',
    html: '<h1>New on the shelf</h1><p>Three books that your friends read: <a href="https://books.example">see them</a>.</p>',
    notification_category_name: 'Marketing',
  });
  return caught(stage, person, /New on the shelf/);
}

async function openUnsubscribeLink(stage: Stage): Promise<void> {
  const { text } = await marketingMail(stage);
  const [link = ''] = /https?:\/\/\S+unsubscribe-link\S+/.exec(text) ?? [];
  await stage.page.goto(link);
  await stage.page.getByRole('heading', { name: 'Unsubscribe from Marketing' }).waitFor();
}

async function post(
  { server }: Stage,
  level: 'client' | 'server',
  path: string,
  body: object,
  accessToken?: string,
): Promise<void> {
  const { projectId, publishableClientKey, secretServerKey } = server.keys;
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': level,
      'x-stack-project-id': projectId,
      'x-stack-publishable-client-key': publishableClientKey,
      ...(level === 'server' && { 'x-stack-secret-server-key': secretServerKey }),
      ...(accessToken !== undefined && { 'x-stack-access-token': accessToken }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} failed: ${response.status} ${await response.text()}`);
}
