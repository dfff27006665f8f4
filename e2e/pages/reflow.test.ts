import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { registerInBrowser } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { configure } from '../support/project.ts';
import { scenes } from '../support/scenes/scenes.ts';
import { test } from '../support/test.ts';

/** A window of 1280 pixels at 400 % (WCAG 1.4.10). It covers 200 % too. */
const zoomed = { width: 320, height: 640 };

/** The minimum height of a touch target, in pixels. */
const leastTarget = 44;

const names = [
  'sign-in-everything',
  'sign-up-everything',
  'magic-link-code-wrong',
  'password-reset',
  'mfa-over',
  'settings-list',
  'settings-auth-two',
  'settings-totp',
  'settings-crop',
  'settings-api-key-new',
  'settings-team',
  'team-invitation',
];

test.for(names)(
  'control 108: %s needs no horizontal scrolling in a narrow window, and has large touch targets',
  async (name, { server, page }) => {
    const scene = scenes.find(one => one.name === name);
    if (scene === undefined) throw new Error(`there is no scene ${name}`);
    await page.setViewportSize(zoomed);
    await configure(server, scene.switches);
    await scene.show({ page, server });
    expect(await widthOf(page)).toBeLessThanOrEqual(zoomed.width);
    expect(await smallTargets(page)).toEqual([]);
  },
);

test('control 108: the page of a team whose name is 100 characters without a space needs no horizontal scrolling', async ({
  server,
  page,
}) => {
  await page.setViewportSize(zoomed);
  await configure(server, { client_team_creation_enabled: true });
  await registerInBrowser(server, page, newPerson());
  await page.goto('/handler/account-settings#team-creation');
  await page.getByRole('textbox', { name: 'Team name' }).fill('W'.repeat(100));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete team' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(zoomed.width);
});

/** The scroll width of the page, with the header of the app. */
function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const elements = [...document.querySelectorAll('.header *, .tessera-page :not(.tss\\:sr-only)')];
    const seen = elements.filter(
      element => element.checkVisibility() && !element.closest('[class~="tss:overflow-hidden"]'),
    );
    return Math.max(...seen.map(element => Math.ceil(element.getBoundingClientRect().right)));
  });
}

/** Elements of our pages that can be pressed and are too low, with their height. Links in text are exempt. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(least => {
    const elements = document.querySelectorAll<HTMLElement>(
      '.tessera-root :is(button, input, select, a[href], summary, [role=tab])',
    );
    return [...elements].flatMap(element => {
      if (!element.checkVisibility({ visibilityProperty: true })) return [];
      // A label around a control is pressed in its place. Small buttons have an enlarged hit area.
      const target = element.closest('label') ?? element;
      const beyond = element.dataset.size === 'sm' ? 8 : 0;
      const height = Math.round(target.getBoundingClientRect().height + beyond);
      const isInText = element.dataset.variant === 'link' || element.matches('a.tessera-button');
      return height >= least || isInText || height === 0 ? [] : [`${element.outerHTML.slice(0, 120)}: ${height}`];
    });
  }, leastTarget);
}
