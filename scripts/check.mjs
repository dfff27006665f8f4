import { check } from './checks.mjs';
import { main, Problem } from './terminal.mjs';

/** `npm run check`: types, lint, format, import arrows and the like; all that needs no build. */
await main(async () => {
  const failed = await check();
  if (failed.length > 0) throw new Problem(`${failed.length} of the checks failed: ${failed.join(', ')}.`);
});
