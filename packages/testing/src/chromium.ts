import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const programs = ['chromium-headless-shell', 'chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'];

/** The path of the Chromium that `npm test` found, otherwise of an installed one. */
export function findChromium(): string {
  if (process.env.TESSERA_CHROMIUM) return process.env.TESSERA_CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.flatMap(folder => programs.map(name => join(folder, name))).find(file => existsSync(file));
  if (path === undefined) throw new Error('Chromium is missing. `npm test -- e2e` installs it.');
  return path;
}
