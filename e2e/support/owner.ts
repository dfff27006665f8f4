import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { openProfile } from './chromium.ts';
import { submitSignUp } from './pages.ts';
import { newPerson } from './people.ts';
import { test as base } from './test.ts';
import { collectTroubles } from './troubles.ts';

type OwnerState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** `test` with `ownerState`, the cookies of the first owner, and `context` and `troubles` for a browser with them. */
export const test = base
  .extend('ownerState', { scope: 'file' }, async ({ browser, server }): Promise<OwnerState> => {
    const context = await openProfile(browser);
    const page = await context.newPage();
    await page.goto(`${server.url}/dashboard/`);
    await submitSignUp(page, newPerson());
    await page.getByRole('heading', { name: 'Your projects' }).waitFor();
    const state = await context.storageState();
    await context.close();
    return state;
  })
  .extend('context', async ({ browser, ownerState }, { onCleanup }): Promise<BrowserContext> => {
    const context = await openProfile(browser, { storageState: ownerState });
    onCleanup(() => context.close());
    return context;
  })
  .extend('troubles', ({ context }) => collectTroubles(context))
  .extend('page', ({ context, troubles: _ }): Promise<Page> => context.newPage());

/** Expects a page without axe findings that fits its window. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflowPx).toBeLessThanOrEqual(0);
}
