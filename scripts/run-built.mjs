import { join } from 'node:path';
import { run } from './setup/processes.mjs';
import { setup } from './setup/setup.mjs';
import { main } from './setup/terminal.mjs';
import { root } from './setup/workspace.mjs';

/** Runs a script of the repository on current builds: `npm run bench`, `npm run drill -- faults`, `npm run seed`. */
await main(async ([script, ...args]) => {
  await setup();
  const result = await run(process.execPath, [join(root, script), ...args], { cwd: root, show: true });
  if (!result.ok) process.exitCode = 1;
});
