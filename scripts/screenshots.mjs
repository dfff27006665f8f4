import { runTool } from './setup/processes.mjs';
import { setup } from './setup/setup.mjs';
import { main, Problem } from './setup/terminal.mjs';
import { root } from './setup/workspace.mjs';
import { ensureChromium } from './tests/chromium.mjs';

/**
 * `npm run screenshots`: takes pictures of every page and state of the demo, in `screenshots/`. Arguments after `--` go
 * to vitest: `-t sign-in` takes only some of them.
 */
await main(async args => {
  await setup();
  const chromium = await ensureChromium();
  if (!chromium) throw new Problem('Chromium is missing and could not be installed.');
  const vitestArgs = ['run', '--config', 'e2e/screenshots.config.ts', ...args];
  const result = await runTool('vitest', vitestArgs, { cwd: root, env: { TESSERA_CHROMIUM: chromium }, show: true });
  if (!result.ok) process.exitCode = 1;
});
