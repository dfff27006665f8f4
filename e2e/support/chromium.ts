import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const programs = ['chromium-headless-shell', 'chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'];

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

/** The path of the Chromium that `npm test` found, otherwise of an installed one. */
export function findChromium(): string {
  if (process.env.TESSERA_CHROMIUM) return process.env.TESSERA_CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.flatMap(folder => programs.map(name => join(folder, name))).find(file => existsSync(file));
  if (path === undefined) throw new Error('Chromium is missing. `npm test -- e2e` installs it.');
  return path;
}
