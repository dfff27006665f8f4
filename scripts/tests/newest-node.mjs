import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, runNpm } from '../setup/processes.mjs';
import { cacheFolder } from '../setup/workspace.mjs';

const folder = join(cacheFolder, 'newest-node');
const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * Installs the newest Node.js from the npm package `node` into its own folder. As a dependency it would cost every
 * developer a hundred megabytes.
 *
 * @returns {Promise<{ program: string, version: string } | undefined>} undefined when it cannot be installed or run
 */
export async function ensureNewestNode() {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await runNpm(['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', `${packageName}@latest`], {
    cwd: folder,
  });

  const installed = join(folder, 'node_modules', packageName);
  if (!existsSync(join(installed, 'package.json'))) return undefined;
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const program = join(installed, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const started = await run(program, ['--version'], { cwd: folder }).catch(() => ({ ok: false }));
  return started.ok ? { program, version } : undefined;
}
