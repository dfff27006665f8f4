import { openSmtpSink, type SmtpSink } from '@tessera/testing/smtp-sink';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { register } from '../support/api.ts';
import { violationsOf } from '../support/axe.ts';
import { deliveredTo, mailTo } from '../support/mail.ts';
import { test } from '../support/owner.ts';
import { waitForFocus } from '../support/pages.ts';
import { newPerson, type Person } from '../support/people.ts';
import type { TesseraServer } from '../support/tessera-server.ts';

let sink: SmtpSink;
beforeAll(async () => {
  sink = await openSmtpSink();
});
afterAll(() => sink.close());

const folder = process.env.TESSERA_EMAIL_SCREENSHOTS;

/** For a person who looks at the screens; off in a test run. */
async function look(page: Page, name: string): Promise<void> {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

async function admin(server: TesseraServer, method: string, path: string, body?: object): Promise<unknown> {
  const { projectId, superSecretAdminKey } = server.keys;
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      'x-stack-access-type': 'admin',
      'x-stack-project-id': projectId,
      'x-stack-super-secret-admin-key': superSecretAdminKey,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The mail server of the project `Demo` is the sink, or again that of the installation. */
function useSink(server: TesseraServer, isUsed: boolean): Promise<unknown> {
  const own = {
    type: 'standard',
    host: '127.0.0.1',
    port: Number(new URL(sink.url).port),
    username: 'acme',
    password: 'secret',
    sender_name: 'Acme',
    sender_email: 'mail@acme.example',
  };
  const email_config = isUsed ? own : { type: 'shared' };
  return admin(server, 'PATCH', '/internal/projects/current', { config: { email_config } });
}

const blocksOf = (page: Page) => page.getByRole('list', { name: 'Blocks' }).getByRole('listitem');
const emailFrame = (page: Page) => page.frameLocator('iframe[title^="Preview of the email"]');

test('an owner edits a template with blocks, by keyboard and as source, sees the preview, sends a test, saves and resets it', async ({
  server,
  owner,
  page,
  troubles,
}) => {
  await testBuiltInTemplate(page, { server, owner });
  await useSink(server, true);
  const before = await addText(page);
  await moveUndoAndRedo(page, before);
  await moveToTheEndAndBack(page, before);
  await openPreviewsAndSource(page);
  await sendTestAndSave(page, owner);
  await resetTemplate(page);
  expect(troubles).toEqual([]);
});

test('a template without its link or with an unknown variable has a note, and one without a subject is not saved', async ({
  server,
  page,
}) => {
  await useSink(server, true);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/emails/templates/password_reset`);
  const missing = page.getByText('{{passwordResetLink}} is missing. Users cannot continue from this email.');
  await page.getByRole('button', { name: 'Remove Button “Choose a new password”' }).click();
  await missing.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await missing.waitFor({ state: 'detached' });

  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.fill('Hello {{userName}}');
  await page.getByText('This variable is not known and stays empty: {{userName}}').waitFor();
  await subject.fill('');
  await page.getByRole('button', { name: 'Save the template' }).click();
  await page.getByText('Enter a subject.').waitFor();
  await page.getByText('Unsaved changes', { exact: true }).waitFor();
});

test('undo changes the source that is open, and content without a layout is refused with what it needs', async ({
  server,
  page,
}) => {
  await useSink(server, true);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/emails/templates/magic_link`);
  await page.getByRole('button', { name: 'Source' }).click();
  const source = page.getByRole('textbox', { name: 'Content as JSON' });
  const layout = '{"root":{"type":"EmailLayout","data":{"childrenIds":[]}}}';
  const replaceWith = async (text: string) => {
    await source.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
  await replaceWith(layout);
  await expect.poll(() => source.textContent()).toBe(layout);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => source.textContent()).toContain('Heading');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => source.textContent()).not.toContain('Heading');
  await replaceWith('{}');
  await page.getByText('The email stays as it was: the content needs a block “root” of type EmailLayout').waitFor();
  expect(await source.textContent()).toBe('{}');
});

test('a new message with chosen users and no text yet is left only after a question', async ({ server, page }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/emails/messages/new`);
  await page.getByRole('combobox', { name: 'Audience' }).selectOption('Chosen users');
  await page.getByRole('textbox', { name: 'User ids' }).fill('d4e2b1c0-1111-4222-8333-444455556666');
  await page.getByRole('link', { name: 'All messages' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  expect(await page.getByRole('textbox', { name: 'User ids' }).inputValue()).toContain('d4e2b1c0');
});

test('a heading of 300 characters without a space stays inside the preview of a phone', async ({ server, page }) => {
  await useSink(server, true);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/emails/templates/password_reset`);
  const long = 'W'.repeat(300);
  await blocksOf(page).first().getByRole('textbox', { name: 'Text' }).fill(long);
  await page.getByRole('button', { name: 'Phone' }).click();
  const heading = emailFrame(page).getByText(long);
  await heading.waitFor();
  expect(await heading.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});

test('an owner writes to all users, confirms their number, and follows the copies to the log and to the page of a user', async ({
  server,
  owner,
  page,
  troubles,
}) => {
  await useSink(server, true);
  const [ada, bob] = [newPerson(), newPerson()];
  await register(server, ada);
  await register(server, bob);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/emails`);
  await composeMessage(page);
  await confirmAndSend(page, [ada, bob]);
  await followToLogAndUser(page, ada);

  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByText('2 of 2 accepted').waitFor();
  await look(page, 'messages');
  await page.getByRole('link', { name: 'Get started' }).click();
  await page.getByText(/A request with a key of this project reached the server/).waitFor();
  await page.getByRole('button', { name: /^Send a test to/ }).click();
  await page.getByText(`The mail server accepted an email to ${owner.email}`).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'get-started');
  expect(troubles).toEqual([]);
});

/** Through the installation's server the built-in text can be looked at and tested, not changed. */
async function testBuiltInTemplate(
  page: Page,
  { server, owner }: { server: TesseraServer; owner: Person },
): Promise<void> {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/emails`);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('link', { name: 'Sign in by code or link' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'templates');

  await page.getByRole('link', { name: 'Sign in by code or link' }).click();
  await emailFrame(page).getByText('A1B2C3').waitFor();
  await page.getByText('You can change the templates once the project sends email').waitFor();
  await page.getByRole('button', { name: 'Send a test to me' }).click();
  await page.getByText(`The mail server accepted the test email to ${owner.email}`).waitFor();
  await mailTo(server, owner.email, /Your code is A1B2C3/);
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'template-shared');
}

/** Adds a block at the end. Returns the number of blocks before it. */
async function addText(page: Page): Promise<number> {
  await page.reload();
  await page.getByRole('textbox', { name: 'Subject' }).fill('Your code: ');
  await page.getByRole('group', { name: 'Insert a variable: Subject' }).getByRole('button', { name: /otp/ }).click();
  await page.getByText('Your code: A1B2C3').waitFor();
  const blocks = blocksOf(page);
  const before = await blocks.count();
  await page.getByRole('group', { name: 'Add a block' }).getByRole('button', { name: 'Text' }).click();
  await blocks.last().getByRole('textbox', { name: 'Text' }).fill('See you at the lighthouse');
  await emailFrame(page).getByText('See you at the lighthouse', { exact: true }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'template-wide');
  return before;
}

async function moveUndoAndRedo(page: Page, before: number): Promise<void> {
  const blocks = blocksOf(page);
  await page.getByRole('button', { name: 'Move Text “See you at the lighthouse” up' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(`is now at position ${before} of ${before + 1}.`).waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(() => blocks.last().getByRole('textbox').first().inputValue()).toBe('See you at the lighthouse');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect
    .poll(() =>
      blocks
        .nth(before - 1)
        .getByRole('textbox')
        .first()
        .inputValue(),
    )
    .toBe('See you at the lighthouse');
}

/** Moves the block to the end and back. A button that can do nothing more keeps the focus. */
async function moveToTheEndAndBack(page: Page, before: number): Promise<void> {
  const down = page.getByRole('button', { name: 'Move Text “See you at the lighthouse” down' });
  await down.press('Enter');
  await page.getByText(`is now at position ${before + 1} of ${before + 1}.`).waitFor();
  expect(await down.getAttribute('aria-disabled')).toBe('true');
  await waitForFocus(down);
  await page.getByRole('button', { name: 'Move Text “See you at the lighthouse” up' }).press('Enter');
  await page.getByText(`is now at position ${before} of ${before + 1}.`).waitFor();
}

async function openPreviewsAndSource(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Phone' }).click();
  await look(page, 'template-phone-preview');
  await page.getByRole('button', { name: 'Plain text' }).click();
  await page.locator('pre').getByText('See you at the lighthouse').waitFor();
  await look(page, 'template-text');
  await page.getByRole('button', { name: 'Wide' }).click();

  await page.getByRole('button', { name: 'Source' }).click();
  await page.getByRole('textbox', { name: 'Content as JSON' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'template-source');
  await page.getByRole('button', { name: 'Blocks' }).click();
}

async function sendTestAndSave(page: Page, owner: Person): Promise<void> {
  await page.getByRole('link', { name: 'All templates' }).click();
  await page.getByRole('dialog').getByText('Leave without saving?').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Send a test to me' }).click();
  const received = await deliveredTo(sink, owner.email, /Your code: A1B2C3/);
  expect(received.text).toContain('See you at the lighthouse');
  await page.getByRole('button', { name: 'Save the template' }).click();
  await page.getByText('The template was saved').waitFor();
  await page.getByRole('link', { name: 'All templates' }).click();
  await page.getByText('Changed', { exact: true }).waitFor();
}

async function resetTemplate(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in by code or link' }).click();
  await page.getByRole('button', { name: 'Reset to the built-in text' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset to the built-in text' }).click();
  await page.getByText('The template has the built-in text again').waitFor();
  await page.getByText('Built-in', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Dark' }).click();
  const paper = emailFrame(page).locator('.t-card').first();
  await expect.poll(() => paper.evaluate(element => getComputedStyle(element).backgroundColor)).toBe('rgb(24, 24, 27)');
  await look(page, 'template-dark-preview');
}

async function composeMessage(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('heading', { name: 'No message yet' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'messages-empty');

  await page.getByRole('link', { name: 'Write a message' }).click();
  await page.getByText('Reaches 2 users').waitFor();
  await page.getByRole('combobox', { name: 'Audience' }).selectOption('Users who fit a filter');
  await page.getByText('Complete the audience').waitFor();
  await page.getByRole('combobox', { name: 'Address' }).selectOption('Verified');
  await page.getByText('Reaches 0 users').waitFor();
  await page.getByRole('combobox', { name: 'Audience' }).selectOption('All users');
  await page.getByRole('textbox', { name: 'Subject' }).fill('News from Acme');
  const blocks = blocksOf(page);
  await blocks.first().getByRole('textbox', { name: 'Text' }).fill('Big news');
  await blocks.last().getByRole('textbox', { name: 'Text' }).fill('We moved into the lighthouse.');
  await emailFrame(page).getByText('We moved into the lighthouse.', { exact: true }).waitFor();
  await emailFrame(page).getByText('Unsubscribe from Marketing').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'compose');
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, 'compose-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function confirmAndSend(page: Page, [ada, bob]: readonly [Person, Person]): Promise<void> {
  await page.getByRole('button', { name: 'Send to 2 users' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('3');
  await dialog.getByRole('button', { name: 'Send to 2 users' }).click();
  await dialog.getByText('Type “2” exactly as shown.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'compose-confirm');
  await dialog.getByRole('textbox').fill('2');
  await dialog.getByRole('button', { name: 'Send to 2 users' }).click();
  await page.getByRole('heading', { name: 'News from Acme', level: 1 }).waitFor();
  await page.getByRole('progressbar', { name: '2 of 2 accepted' }).waitFor();
  expect((await deliveredTo(sink, ada.email, /News from Acme/)).headerNames).toContain('list-unsubscribe');
  await deliveredTo(sink, bob.email, /News from Acme/);
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'message');
  await page.goBack();
  await page.getByRole('link', { name: 'Write a message' }).waitFor();
  await page.goForward();
}

async function followToLogAndUser(page: Page, { email }: Person): Promise<void> {
  await page.getByRole('link', { name: 'Open the deliveries in the log' }).click();
  const log = page.getByRole('table', { name: 'Log' });
  await log.getByText(email).filter({ visible: true }).waitFor();
  await page.getByRole('button', { name: 'Of one message: remove this filter' }).waitFor();
  await log
    .getByRole('row', { name: new RegExp(email) })
    .getByRole('button')
    .click();
  await page.getByRole('dialog').getByRole('link', { name: 'Open the user' }).click();
  await page.getByRole('link', { name: 'News from Acme' }).waitFor();
  await page.getByText('This user has no API key.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'user');
  await page.getByRole('link', { name: 'News from Acme' }).click();
  await page.getByRole('dialog').getByText('The mail server accepted the email for delivery.').waitFor();
  expect(new URL(page.url()).searchParams.get('email')).toMatch(/^[0-9a-f-]{36}$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
}

test('a template that another admin has saved meanwhile is replaced only after a question, and the draft stays', async ({
  server,
  page,
  troubles,
}) => {
  await useSink(server, true);
  const path = '/email-templates/magic_link';
  const subject = page.getByRole('textbox', { name: 'Subject' });
  const save = page.getByRole('button', { name: 'Save the template' });
  const stored = async () => {
    const { items } = (await admin(server, 'GET', '/email-templates')) as {
      items: { type: string; subject: string }[];
    };
    return items.find(({ type }) => type === 'magic_link')?.subject;
  };
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/emails/templates/magic_link`);

  await subject.fill('Mine');
  await admin(server, 'PATCH', path, { subject: 'Theirs' });
  await save.click();
  const question = page.getByRole('dialog', { name: 'This template has changed' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await subject.inputValue()).toBe('Mine');
  expect(await stored()).toBe('Theirs');

  await save.click();
  await question.getByRole('button', { name: 'Replace it' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await stored()).toBe('Mine');

  // The own version is no change of another admin.
  await subject.fill('Mine again');
  await save.click();
  await expect.poll(stored).toBe('Mine again');
  expect(await question.count()).toBe(0);
  await admin(server, 'DELETE', path);
  await useSink(server, false);
  expect(troubles).toEqual([]);
});
