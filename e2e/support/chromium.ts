import { type Browser, chromium } from 'playwright-core';

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
