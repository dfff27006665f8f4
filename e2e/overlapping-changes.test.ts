import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { addBook, openShelf, shelf } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';

test('books that are added and moved while another one is being saved are all saved', async ({
  server,
  page,
  troubles,
}) => {
  await openShelf(server, page, newPerson());
  const { saved, release } = await holdFirstSave(page, '**/users/me');
  const place = page.getByLabel('Place of Middlemarch');

  await addBook(page, 'Middlemarch', 'Jo');
  await addBook(page, 'Piranesi', '');
  await place.selectOption('Reading');
  await addBook(page, 'Ulysses', '');
  release();
  // One save for the first book, and one for all changes that were made meanwhile.
  await expect.poll(() => saved.size).toBe(2);

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

test('switches of the demo that are changed while another one is being saved are all saved', async ({
  page,
  troubles,
}) => {
  await page.goto('/project-settings');
  const toggle = (name: string) => page.getByRole('switch', { name: new RegExp(`^${name}`) });
  const names = ['Google', 'GitHub', 'Team on sign-up'];
  await toggle('Google').waitFor();
  const before = await Promise.all(names.map(name => toggle(name).isChecked()));
  const { saved, release } = await holdFirstSave(page, '**/project-settings.json');

  for (const name of names) await toggle(name).click();
  release();
  await expect.poll(() => saved.size).toBe(2);

  await page.reload();
  await toggle('Google').waitFor();
  expect(await Promise.all(names.map(name => toggle(name).isChecked()))).toEqual(before.map(isOn => !isOn));
  expect(troubles).toEqual([]);
});

/** Holds the first PATCH of an address until it is released, and collects those that got a response. */
async function holdFirstSave(page: Page, url: string): Promise<{ saved: Set<Request>; release: () => void }> {
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const [sent, saved] = [new Set<Request>(), new Set<Request>()];
  page.on('response', response => sent.has(response.request()) && saved.add(response.request()));
  await page.route(url, async (route, request) => {
    if (request.method() === 'PATCH') sent.add(request);
    if (request.method() === 'PATCH' && sent.size === 1) await released;
    await route.continue();
  });
  return { saved, release };
}
