import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const programs = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'];

/** Opens a Chromium without a window. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      // As root there is no sandbox; the rest keeps Chromium from calling home.
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

/** Path of the Chromium that `npm test` found, else of one of the system. */
export function findChromium(): string {
  if (process.env.TESSERA_CHROMIUM) return process.env.TESSERA_CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.flatMap(folder => programs.map(name => join(folder, name))).find(file => existsSync(file));
  if (path === undefined) throw new Error('There is no Chromium. `npm test -- e2e` installs one.');
  return path;
}
