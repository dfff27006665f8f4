import { check } from './checks/all.mjs';
import { main, Problem } from './setup/terminal.mjs';

/** `npm run check`: types, lint, format, import rules and all other checks that need no build. */
await main(async () => {
  const failed = await check();
  if (failed.length > 0) throw new Problem(`Failed checks: ${failed.join(', ')}.`);
});
