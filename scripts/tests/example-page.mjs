const patienceMs = 30_000;

/**
 * Opens the sign-in page of an example in Chromium and reads what a visitor sees.
 *
 * @param {string} executablePath the path of Chromium
 * @param {string} url the address of the example
 * @param {'light' | 'dark'} colorScheme the preference of the visitor's system
 */
export async function lookAtSignIn(executablePath, url, colorScheme) {
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
