import { runTool } from './setup/processes.mjs';
import { setup } from './setup/setup.mjs';
import { main, Problem } from './setup/terminal.mjs';
import { root } from './setup/workspace.mjs';
import { ensureChromium } from './tests/chromium.mjs';

/**
 * `npm run screenshots`: takes pictures of every page and state of the demo, in `screenshots/`. Arguments after `--` go
 * to vitest: `-t sign-in` takes only some of them.
 */
await main(async () => {
  await setup();
  const chromium = await ensureChromium();
  if (!chromium) throw new Problem('Chromium is missing and could not be installed.');
  const args = ['run', '--config', 'e2e/screenshots.config.ts', ...process.argv.slice(2)];
  const result = await runTool('vitest', args, { cwd: root, env: { TESSERA_CHROMIUM: chromium }, show: true });
  if (!result.ok) process.exitCode = 1;
});
