import { readKeyFile } from '@tessera/testing/data-folder';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { register } from './api.ts';
import { violationsOf } from './axe.ts';
import { openProfile } from './chromium.ts';
import { sessionCookie } from './pages.ts';
import { newPerson, type Person } from './people.ts';
import { test as base } from './test.ts';
import { collectTroubles } from './troubles.ts';

interface Owner extends Person {
  /** The cookie of the session. */
  readonly cookie: ReturnType<typeof sessionCookie>;
}

/** `test` with `owner`, the first owner, and `context` and `troubles` for a browser in which the owner is signed in. */
export const test = base
  .extend('owner', { scope: 'file' }, async ({ server }): Promise<Owner> => {
    const person = newPerson();
    const { projects } = await readKeyFile(server.dataDir);
    if (projects.internal === undefined) throw new Error('the key file has no project internal');
    const keys = { projectId: 'internal', ...projects.internal };
    const { refreshToken } = await register({ url: server.url, keys }, person);
    return { ...person, cookie: sessionCookie(keys, refreshToken) };
  })
  .extend('context', async ({ browser, owner }, { onCleanup }): Promise<BrowserContext> => {
    const context = await openProfile(browser);
    await context.addCookies([owner.cookie]);
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
