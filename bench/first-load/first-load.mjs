import { findChromium } from '@tessera/testing/chromium';
import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { chromium } from 'playwright-core';
import { ask } from '../load.mjs';
import { keys, startServer, withDatabase } from '../processes.mjs';
import { median } from '../statistics.mjs';
import { jsonRequest, password, signUp } from '../world.mjs';
import { recordRequests, waterfallOf } from './waterfall.mjs';

const samples = 5;
const userCount = 120;
/** Lighthouse's "slow 4G", with a processor of a quarter of the speed. */
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const slowProcessor = 4;
/** The bound of "good" for the largest paint in https://web.dev/articles/vitals. */
const budgetMs = 2_500;

/**
 * Chromium, and a server with an owner and users; with `beside` a second build, which is measured in turn.
 *
 * @param {{ main: string, beside?: string }} options
 */
export async function openFirstLoad({ main, beside }) {
  const undo = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
    undo.push(() => browser.close());
    const builds = [];
    for (const [name, script] of [['', main], ...(beside === undefined ? [] : [['other build, ', beside]])]) {
      const dataDir = await makeDataFolder();
      undo.push(() => removeDataFolder(dataDir));
      const server = await startServer({ main: script, dataDir });
      undo.push(server.stop);
      builds.push({ name, ...(await signInOwner(browser, { port: server.port, dataDir })) });
    }
    return { browser, builds, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export const firstLoadMeasurements = {
  async dashboardFirstLoad({ browser, builds }) {
    const loads = builds.map(() => []);
    for (let sample = 0; sample < samples; sample++) {
      for (const [index, build] of builds.entries()) loads[index].push(await loadUsers(browser, build));
    }
    return builds.map(({ name }, index) => firstLoadRow(name, loads[index]));
  },
};

/** Creates an administrator of the project `internal` and its users, and signs the administrator in in the browser. */
async function signInOwner(browser, { port, dataDir }) {
  const { email, userId } = await signUp(port, 0);
  for (let index = 0; index < userCount; index++) {
    await ask(
      port,
      serverRequest({ primary_email: `listed-${index}@example.com`, display_name: `User ${index}` }),
      201,
    );
  }
  await withDatabase(dataDir, client =>
    client.query(
      `insert into project_members (project_id, user_id, role, created_at_millis) values ('internal', $1, 'admin', $2)`,
      [userId, Date.now()],
    ),
  );
  const context = await browser.newContext();
  const page = await context.newPage();
  const root = `http://localhost:${port}/dashboard`;
  await page.goto(`${root}/handler/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Your projects' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return { state, address: `${root}/projects/internal/users` };
}

function serverRequest(body) {
  const request = jsonRequest('/api/v1/users', body);
  const own = { 'x-stack-access-type': 'server', 'x-stack-secret-server-key': keys.secretServerKey };
  return { ...request, headers: { ...request.headers, ...own } };
}

/** Loads the list of users with an empty cache, as an owner who is signed in. */
async function loadUsers(browser, { state, address }) {
  const context = await browser.newContext({ storageState: state, viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const requests = await recordRequests(session);
    await session.send('Network.emulateNetworkConditions', slowNetwork);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowProcessor });
    const startedAt = performance.now();
    await page.goto(address, { waitUntil: 'commit' });
    await page.getByRole('row').nth(1).waitFor();
    return { ms: performance.now() - startedAt, requests: requests() };
  } finally {
    await context.close();
  }
}

function firstLoadRow(name, loads) {
  const ms = median(loads.map(load => load.ms));
  const { requests } = loads.find(load => load.ms === ms);
  const kilobytes = requests.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  process.stderr.write(`\n${name}the load of ${ms.toFixed(0)} ms:\n${waterfallOf(requests)}\n`);
  return {
    what: `${name}dashboard, first load of Users to its first row, slow 4G and 1/4 processor`,
    value: { ms: loads.map(load => load.ms), requests },
    text: `median of ${samples} ${ms.toFixed(0)} ms, ${requests.length} requests, ${kilobytes.toFixed(0)} KB`,
    budget: `<= ${budgetMs} ms`,
    isKept: ms <= budgetMs,
  };
}
