import assert from 'node:assert/strict';
import { Problem } from '../../setup/terminal.mjs';
import { ensureChromium } from '../chromium.mjs';

/** What the CSS compiler of the framework made of our stylesheet. */
const colorsOf = {
  light: {
    page: 'rgb(245, 246, 248)',
    card: 'rgb(255, 255, 255)',
    button: 'rgb(35, 64, 160)',
    text: 'rgb(255, 255, 255)',
  },
  dark: { page: 'rgb(12, 14, 19)', card: 'rgb(20, 23, 30)', button: 'rgb(149, 169, 252)', text: 'rgb(11, 17, 48)' },
};

/** Checks what a visitor sees on the sign-in page, in both colour schemes. */
export async function checkColors(check, url) {
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    await check(`shows the sign-in page in its ${scheme} colours, without an error in the console`, async () => {
      const chromium = await ensureChromium();
      if (!chromium) throw new Problem('Chromium is missing and could not be installed.');
      const { colors, problems } = await lookAtSignIn(chromium, url, scheme);
      assert.deepEqual(colors, colorsOf[scheme]);
      assert.deepEqual(problems, []);
    });
  }
}

const patienceMs = 30_000;

/**
 * Opens the sign-in page of an example in Chromium and reads what a visitor sees.
 *
 * @param {string} executablePath the path of Chromium
 * @param {string} url the address of the example
 * @param {'light' | 'dark'} colorScheme the preference of the visitor's system
 */
async function lookAtSignIn(executablePath, url, colorScheme) {
  // Installed by the setup, so not imported before.
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 800 } });
    /** @type {string[]} */
    const problems = [];
    page.on('pageerror', error => problems.push(error.message));
    page.on('console', message => {
      // The examples have no icon, which the browser asks for by itself.
      const isIcon = message.location().url.endsWith('/favicon.ico');
      if (message.type() === 'error' && !isIcon) problems.push(message.text());
    });
    await page.goto(`${url}/handler/sign-in`);
    await page.locator('button[type=submit]').waitFor({ timeout: patienceMs });
    const read = (selector, property) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => element.ownerDocument.defaultView?.getComputedStyle(element)[name], property);
    const colors = {
      page: await read('.tessera-page', 'backgroundColor'),
      card: await read('.tessera-card', 'backgroundColor'),
      button: await read('button[type=submit]', 'backgroundColor'),
      text: await read('button[type=submit]', 'color'),
    };
    return { colors, problems };
  } finally {
    await browser.close();
  }
}
