import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, runTool } from '../setup/processes.mjs';
import { print } from '../setup/terminal.mjs';
import { root } from '../setup/workspace.mjs';

/** The headless shell is first: the same engine without windows, which needs about 0.4 of the CPU time of `chromium`. */
const programNames = [
  'chromium-headless-shell',
  'chromium',
  'google-chrome',
  'google-chrome-stable',
  'chromium-browser',
];
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The path of a Chromium: an installed one, else one from Debian's packages, else Playwright's. */
export async function ensureChromium() {
  return (await findChromium()) ?? (await installFromDebian()) ?? (await installFromPlaywright());
}

async function findChromium() {
  const inPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap(folder => programNames.map(name => join(folder, name)));
  const { chromium } = await import('playwright-core');
  const candidates = [process.env.TESSERA_CHROMIUM, ...inPath, ...usualPlaces, chromium.executablePath()];
  return candidates.find(path => path && existsSync(path));
}

async function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  print('Installing Chromium from Debian …');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env });
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium-headless-shell'], { env });
  return findChromium();
}

async function installFromPlaywright() {
  print('Installing Chromium with Playwright …');
  await runTool('playwright-core', ['install', 'chromium'], { cwd: root });
  return findChromium();
}
