import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, test } from '../support/owner.ts';

/** Counts how often the page itself is loaded. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', request => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

test('a section that is opened while the server is down leaves the navigation, and loads after "Try again"', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await server.kill();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  const problem = page.getByRole('main').getByRole('alert');
  await problem.getByText('The server does not answer. Check that it is running, then try again.').waitFor();
  await page.getByRole('link', { name: 'Overview' }).waitFor();
  await expectAccessible(page);
  await problem.getByRole('button', { name: 'Try again' }).click();
  await problem.getByRole('button', { name: 'Try again' }).waitFor();

  await server.start();
  await problem.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
});

test('a section whose file is missing after an upgrade loads the page again by itself', async ({ server, page }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const loads = countLoads(page);
  await page.route('**/assets/domains-page*', route => {
    if (loads() === 0) return route.fulfill({ status: 404, body: '' });
    return route.continue();
  });
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  expect(loads()).toBe(1);
});

test('a section whose file stays missing loads the page once, then says so', async ({ server, page }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const loads = countLoads(page);
  await page.route('**/assets/domains-page*', route => route.fulfill({ status: 404, body: '' }));
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.getByText('The code of this page did not arrive.').waitFor();
  await page.getByRole('link', { name: 'Overview' }).waitFor();
  expect(loads()).toBe(1);
});
