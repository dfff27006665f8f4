import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { documented, listUndocumented, listWithoutExample, readReference } from './checks/docs/reference.mjs';
import { setupPackages } from './setup/setup.mjs';
import { main, Problem, print } from './setup/terminal.mjs';
import { root } from './setup/workspace.mjs';

const target = join(root, 'docs/reference');

/**
 * `npm run docs [-- --check]`: writes the reference, one page per export, to docs/reference, which git ignores. Fails when
 * an export has no doc comment, or a value no example. With `--check` it writes nothing.
 */
await main(async args => {
  await setupPackages();
  const isCheck = args.includes('--check');
  if (!isCheck) rmSync(target, { recursive: true, force: true });

  const missing = [];
  const withoutExample = [];
  for (const described of documented) {
    const reference = await readReference(described);
    missing.push(...(await listUndocumented(described, reference)));
    withoutExample.push(...(await listWithoutExample(described, reference)));
    if (!isCheck) await reference.write(join(target, basename(described.folder)));
  }
  if (missing.length > 0) throw new Problem(`These exports have no doc comment:\n${missing.join('\n')}`);
  if (withoutExample.length > 0) throw new Problem(`These exports have no @example:\n${withoutExample.join('\n')}`);
  print(isCheck ? 'Every export has a doc comment and an example.' : 'The reference is in docs/reference.');
});
