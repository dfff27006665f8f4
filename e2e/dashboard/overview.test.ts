import { expect } from 'vitest';
import { expectAccessible, test } from '../support/owner.ts';
import { newPerson } from '../support/people.ts';

test('an owner reads the active users of the month and chooses a range of 12 months, which the address keeps', async ({
  server,
  page,
  troubles,
}) => {
  const headers = {
    'content-type': 'application/json',
    'x-stack-access-type': 'client',
    'x-stack-project-id': server.keys.projectId,
    'x-stack-publishable-client-key': server.keys.publishableClientKey,
  };
  for (const { email, password } of [newPerson(), newPerson()]) {
    const body = JSON.stringify({ email, password, verification_callback_url: 'http://localhost:3000/verify' });
    const answer = await fetch(`${server.url}/api/v1/auth/password/sign-up`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
  }

  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.getByRole('figure', { name: 'Active users per month: 2 this month, 12 months shown' }).waitFor();
  // The list of users shows an email code as soon as one can be used.
  await page.getByText('email codes count from the first one that the user signs in with').waitFor();
  // A screen reader reads the count of each day.
  const signUps = page.getByRole('figure', { name: 'Sign-ups per day: 2 in 31 days' }).getByRole('listitem');
  expect(await signUps.count()).toBe(31);
  expect(await signUps.last().textContent()).toMatch(/^[A-Z][a-z]{2} \d+: 2$/);
  await page.getByRole('combobox', { name: 'Range' }).selectOption('12 months');
  await page.getByRole('figure', { name: 'Sign-ups per day: 2 in 365 days' }).waitFor();
  expect(new URL(page.url()).searchParams.get('days')).toBe('365');
  await expectAccessible(page);
  await page.reload();
  await page.getByRole('figure', { name: 'Active users per day: 2 in 365 days' }).waitFor();
  expect(troubles).toEqual([]);
});
