import { join } from 'node:path';
import { run } from './processes.mjs';
import { setup } from './setup.mjs';
import { main } from './terminal.mjs';
import { root } from './workspace.mjs';

/** `npm run drill -- faults [names] [--write]` */
await main(async args => {
  await setup();
  const result = await run(process.execPath, [join(root, 'bench/drill.mjs'), ...args], { cwd: root, show: true });
  if (!result.ok) process.exitCode = 1;
});
