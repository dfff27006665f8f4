import { expectAccessible, test } from '../support/owner.ts';
import { newPerson } from '../support/people.ts';
import { ageSignIns } from '../support/sessions.ts';

test('an owner whose sign-in is old confirms with the password, and the refused change is made', async ({
  server,
  owner,
  page,
}) => {
  const { email } = newPerson();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  const members = page.getByRole('region', { name: 'Members' });
  await members.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  await dialog.getByRole('textbox', { name: 'Email address' }).fill(email);
  await ageSignIns(server);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();

  const question = page.getByRole('dialog', { name: "Confirm it's you" });
  const password = question.getByLabel('Password', { exact: true }).and(question.locator('input'));
  await password.waitFor();
  await expectAccessible(page);
  await password.fill('a wrong password');
  await question.getByRole('button', { name: 'Confirm' }).click();
  await question.getByRole('alert').first().waitFor();
  await password.fill(owner.password);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await members.getByRole('button', { name: `Revoke the invitation of ${email}` }).waitFor();
  await question.waitFor({ state: 'detached' });
});

test('an owner who does not confirm the identity stays on the page, and nothing is changed', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/security`);
  await page.getByRole('button', { name: 'Rotate the signing keys' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate the signing keys?' });
  await ageSignIns(server);
  await dialog.getByRole('button', { name: 'Rotate the signing keys' }).click();
  await page.getByRole('dialog', { name: "Confirm it's you" }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByText('Sign in again to make this change: it needs a sign-in that is more recent.').waitFor();
});
