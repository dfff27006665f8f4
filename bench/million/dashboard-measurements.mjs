import { setTimeout as delay } from 'node:timers/promises';
import { findChromium } from '@tessera/testing/chromium';
import { chromium } from 'playwright-core';
import { latencyRow } from '../rows.mjs';
import { password, signUp } from '../world.mjs';
import { crowd } from './seed.mjs';

const samples = 10;
const scrolledRows = 10_000;
/** Users of the first page; each further one has 100. */
const firstPage = 40;
/** The bound of "good" in https://web.dev/articles/vitals. */
const interactionBudgetMs = 200;

/**
 * What the owner of a project with a million users waits for in the dashboard, in Chromium.
 *
 * @type {Record<string, (million: import('./million.mjs').Million) => Promise<import('../table.mjs').Row[]>>}
 */
export const dashboardMeasurements = {
  async dashboardUsers(million) {
    return withOwner(million, async ({ page }) => {
      const firstRow = [];
      const nextPage = [];
      const search = [];
      for (let sample = 0; sample < samples; sample++) {
        firstRow.push(await timeFirstRow(page));
        nextPage.push(await timeNextPage(page));
        search.push(await timeSearch(page, await knownAddress(million, sample)));
      }
      return [
        latencyRow('dashboard, from the click on Users to the first row', firstRow),
        latencyRow('dashboard, next 100 users', nextPage),
        latencyRow('dashboard, from the last key of an address to its row', search),
      ];
    });
  },

  async dashboardScroll(million) {
    return withOwner(million, async ({ page }) => {
      await timeFirstRow(page);
      await page.evaluate(observeInteractions);
      await scrollTo(page, scrolledRows);
      const delaysMs = await page.evaluate(() => globalThis.interactionDelays);
      const framesMs = await page.evaluate(() => globalThis.longFrames);
      const longest = latencyRow(`dashboard, frames above 50 ms during ${scrolledRows} rows (${framesMs.length})`, [
        0,
        ...framesMs,
      ]);
      return [
        latencyRow(`dashboard, key presses and clicks while ${scrolledRows} rows are scrolled`, delaysMs, {
          p50Ms: interactionBudgetMs,
        }),
        longest,
      ];
    });
  },
};

/** Opens the dashboard as an administrator of the project with a million users. */
async function withOwner({ server, client }, work) {
  const { email, userId } = await signUp(server.port, `dashboard-${Date.now()}`);
  await client.query(
    `insert into project_members (project_id, user_id, role, created_at_millis) values ($1, $2, 'admin', $3)`,
    [crowd.projectId, userId, Date.now()],
  );
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const root = `http://localhost:${server.port}/dashboard`;
    await page.goto(`${root}/handler/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.locator('input[type=password]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Your projects' }).waitFor();
    await page.goto(`${root}/projects/${crowd.projectId}`);
    return await work({ page });
  } finally {
    await browser.close();
  }
}

const firstRow = page => page.getByRole('table', { name: 'Users' }).getByRole('row').nth(1);

async function timeFirstRow(page) {
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const startedAt = performance.now();
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await firstRow(page).waitFor();
  return performance.now() - startedAt;
}

async function timeNextPage(page) {
  const startedAt = performance.now();
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText(`${firstPage + 100} loaded`).waitFor();
  return performance.now() - startedAt;
}

async function timeSearch(page, address) {
  const field = page.getByRole('searchbox');
  await field.fill(address.slice(0, -1));
  await delay(500);
  await field.press('End');
  const startedAt = performance.now();
  await field.pressSequentially(address.slice(-1));
  await page.getByRole('table', { name: 'Users' }).getByText(address).first().waitFor();
  return performance.now() - startedAt;
}

async function knownAddress({ client }, sample) {
  const { rows } = await client.query(
    `select primary_email from users where project_id = $1 and primary_email is not null
     order by signed_up_at_millis, id offset $2 limit 1`,
    [crowd.projectId, sample * 1_000],
  );
  return rows[0].primary_email;
}

/** Runs in the page: collects the delays that Event Timing reports, and the frames above 50 ms. */
function observeInteractions() {
  globalThis.interactionDelays = [];
  globalThis.longFrames = [];
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (entry.interactionId) globalThis.interactionDelays.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) globalThis.longFrames.push(entry.duration);
  }).observe({ type: 'longtask' });
}

/** Scrolls to the end again and again, and selects a visible row after each page, until so many rows are loaded. */
async function scrollTo(page, rows) {
  const table = page.getByRole('table', { name: 'Users' });
  for (let loaded = firstPage; loaded < rows; ) {
    await table.hover();
    await page.mouse.wheel(0, 100_000);
    await page.getByText(`${(loaded + 100).toLocaleString('en')} loaded`).waitFor();
    loaded += 100;
    const box = table.getByRole('checkbox').nth(5);
    await box.click();
    await box.click();
  }
}
