import { findChromium } from '@tessera/testing/chromium';
import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { test as base } from 'vitest';
import { openBrowser, openProfile } from './chromium.ts';
import { startDemo } from './demo.ts';
import { startServer } from './tessera-server.ts';
import { collectTroubles } from './troubles.ts';

/** Every test of this worker uses it. A fixture alone would be another browser for each `extend`. */
let browser: Promise<Browser> | undefined;

/**
 * `test` with fixtures, created when a test first uses them: `browser` for all files of a worker, `server` and `demo` for
 * the whole file, and for each test `context` (a browser profile; its pages are tabs that share cookies), `page` in it, and
 * `troubles`. Additional settings of the server go into `serverEnv`. `database` is a copy of the migrated one in the
 * PostgreSQL of all journeys; a test that stops PostgreSQL extends `test` with `undefined` for it, and the server starts its
 * own. Use `extend`, not `override`, which would change the fixtures of later files too.
 */
export const test = base
  .extend('serverEnv', { scope: 'file' }, (): Readonly<Record<string, string>> => ({}))
  .extend('database', { scope: 'file' }, async ({ serverEnv: _ }, { onCleanup }): Promise<TestDatabase | undefined> => {
    const database = await createTestDatabase();
    onCleanup(database.drop);
    return database;
  })
  .extend('server', { scope: 'file' }, async ({ serverEnv, database }, { onCleanup }) => {
    const server = await startServer(serverEnv, database);
    onCleanup(server.remove);
    return server;
  })
  .extend('demo', { scope: 'file' }, async ({ server }, { onCleanup }) => {
    const demo = await startDemo(server);
    onCleanup(demo.stop);
    return demo;
  })
  .extend('chromium', { scope: 'worker' }, findChromium)
  .extend('browser', { scope: 'worker' }, async ({ chromium }, { onCleanup }) => {
    browser ??= openBrowser(chromium);
    onCleanup(async () => (await browser)?.close());
    return browser;
  })
  .extend('context', async ({ browser, demo }, { onCleanup }): Promise<BrowserContext> => {
    const context = await openProfile(browser, { baseURL: demo.url });
    onCleanup(() => context.close());
    return context;
  })
  .extend('troubles', ({ context }) => collectTroubles(context))
  .extend('page', ({ context, troubles: _ }): Promise<Page> => context.newPage());
