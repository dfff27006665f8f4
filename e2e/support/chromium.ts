import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

const patienceMs = 30_000;

/** Opens a headless Chromium. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      // Root has no sandbox. The other flags stop Chromium's own network requests.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Opens a browser profile: its pages are tabs that share cookies. */
export async function openProfile(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(patienceMs);
  return context;
}
