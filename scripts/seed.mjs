import { join } from 'node:path';
import { run } from './processes.mjs';
import { setup } from './setup.mjs';
import { main } from './terminal.mjs';
import { root } from './workspace.mjs';

/** `npm run seed [-- options of tessera seed]`: fills a project of the database that `npm start` uses. */
await main(async args => {
  await setup();
  const command = [join(root, 'packages/cli/bin/tessera.js'), 'seed', ...args];
  const result = await run(process.execPath, command, { cwd: root, show: true });
  if (!result.ok) process.exitCode = 1;
});
