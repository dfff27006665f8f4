import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { registerInBrowser } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { configure, everything } from '../support/project.ts';
import { test } from '../support/test.ts';

test.for([
  ['200 % text on a phone', 390, '200%'],
  ['the narrowest window', 320, '100%'],
] as const)(
  'control 108: no button or tab of the sign-in page covers another, and no field is wider than its form: %s',
  async ([, width, fontSize], { server, page }) => {
    await configure(server, everything);
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/handler/sign-in');
    await page.getByRole('button', { name: 'Sign in with Spotify' }).waitFor();
    await page.evaluate(size => document.documentElement.style.setProperty('font-size', size), fontSize);
    expect(await overlaps(page)).toEqual([]);
    const [field, form] = await Promise.all(
      ['input[type=password]', 'form'].map(selector => page.locator(selector).boundingBox()),
    );
    expect(field?.width).toBe(form?.width);
  },
);

test('control 108: the providers have two columns on a phone', async ({ server, page }) => {
  await configure(server, everything);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto('/handler/sign-in');
  const [left, right] = await Promise.all(
    ['GitHub', 'Google'].map(name => page.getByRole('button', { name: `Sign in with ${name}` }).boundingBox()),
  );
  expect(left?.y).toBe(right?.y);
});

test('control 108: with 200 % text in the narrowest window the buttons stay inside the card, and the header inside the window', async ({
  server,
  page,
}) => {
  await configure(server, everything);
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto('/handler/sign-in');
  await page.getByRole('button', { name: 'Sign in with Spotify' }).waitFor();
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const outside = await page.evaluate(() => {
    const contentRight = document.querySelector('.tessera-card-header')?.getBoundingClientRect().right ?? 0;
    return [
      ...document.querySelectorAll('.tessera-card .tessera-button, .tessera-card .tessera-button > span'),
    ].flatMap(element => {
      const { right } = element.getBoundingClientRect();
      const limit = element.tagName === 'SPAN' ? element.parentElement?.getBoundingClientRect().right : contentRight;
      return right > (limit ?? 0) ? [`${element.textContent}: ${right}`] : [];
    });
  });
  expect(outside).toEqual([]);
});

test('control 108: the list of the account settings shows the German names of the sections whole, also with 200 % text on a phone', async ({
  server,
  page,
}) => {
  await configure(server, everything);
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => document.documentElement.setAttribute('lang', 'de'));
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await registerInBrowser(server, page, newPerson());
  await page.goto('/handler/account-settings');
  await page.getByRole('link', { name: 'E-Mails und Anmeldung' }).waitFor();
  expect(await cutNames(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await cutNames(page)).toEqual([]);
});

// The media query reads the font size of the browser, which a page cannot change: a window of half the width is the same.
test('control 108: where text is large, the facts of a session are below their names', async ({ server, page }) => {
  await configure(server);
  await registerInBrowser(server, page, newPerson());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/handler/account-settings#sessions');
  const [name, value] = [page.locator('dt').first(), page.locator('dd').first()];
  await name.waitFor();
  expect((await value.boundingBox())?.y).toBe((await name.boundingBox())?.y);
  await page.setViewportSize({ width: 280, height: 844 });
  expect((await value.boundingBox())?.x).toBe((await name.boundingBox())?.x);
});

/** The names in the list of the sections that are wider than their element. */
function cutNames(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('nav bdi')].flatMap(({ scrollWidth, clientWidth, textContent }) =>
      scrollWidth > clientWidth ? [textContent] : [],
    ),
  );
}

/** Pairs of buttons that cover each other. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const buttons = [...document.querySelectorAll('.tessera-card :is(.tessera-button, [role=tab])')];
    const boxes = buttons.map(button => ({ name: button.textContent, box: button.getBoundingClientRect() }));
    return boxes.flatMap((one, index) =>
      boxes.slice(index + 1).flatMap(other => {
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        return width > 0 && height > 0 ? [`${one.name}, ${other.name}: ${width}`] : [];
      }),
    );
  });
}
