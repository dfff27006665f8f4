import type { Request } from 'playwright-core';
import { expect } from 'vitest';
import { addBook, registerInBrowser, shelf } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';

test('books that are added and moved while another one is being saved are all saved', async ({
  server,
  page,
  troubles,
}) => {
  await registerInBrowser(server, page, newPerson());
  await page.goto('/shelf');
  await shelf(page).waitFor();
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const [sent, saved] = [new Set<Request>(), new Set<Request>()];
  page.on('response', response => sent.has(response.request()) && saved.add(response.request()));
  await page.route('**/users/me', async (route, request) => {
    if (request.method() === 'PATCH') sent.add(request);
    if (request.method() === 'PATCH' && sent.size === 1) await released;
    await route.continue();
  });
  const place = page.getByLabel('Place of Middlemarch');

  await addBook(page, 'Middlemarch', 'Jo');
  await addBook(page, 'Piranesi', '');
  await place.selectOption('Reading');
  await addBook(page, 'Ulysses', '');
  release();
  await expect.poll(() => saved.size).toBe(4);

  await page.reload();
  await shelf(page).waitFor();
  await page.getByRole('button', { name: 'Remove Ulysses' }).waitFor();
  expect(await page.getByRole('listitem').getByRole('strong').allTextContents()).toEqual([
    'Ulysses',
    'Piranesi',
    'Middlemarch',
  ]);
  expect(await place.inputValue()).toBe('reading');
  expect(troubles).toEqual([]);
});
