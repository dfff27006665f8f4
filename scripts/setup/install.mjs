import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './processes.mjs';
import { Problem, print, seconds } from './terminal.mjs';
import { root } from './workspace.mjs';

/**
 * npm writes a copy of the lock file with the installed versions to node_modules, last. The comparison detects a changed
 * lock file, an interrupted installation and a manual one.
 */
export function isInstalled() {
  const wanted = readLock('package-lock.json');
  const installed = readLock('node_modules/.package-lock.json');
  if (!installed) return false;
  if (!wanted) return true;

  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed.packages[path];
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readLock(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

export async function install() {
  const startedAt = performance.now();
  const isFirst = !existsSync(join(root, 'node_modules'));
  print(isFirst ? 'Installing packages (once, about a minute) …' : 'Installing changed packages …');

  // Not `npm ci`: it begins by removing `node_modules`. With `--no-save`, `npm install` follows the lock file too, and it
  // updates an installation in seconds.
  const result = await runNpm(['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root });
  if (!result.ok)
    throw new Problem(`${result.output.trim()}\n\nnpm could not install the packages. ${explain(result.output)}`);

  print(`Installed the packages in ${seconds(startedAt)}.`);
}

function explain(output) {
  if (/ENOSPC/.test(output)) return 'The disk is full. Free some space and run the same command again.';
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/.test(output)) {
    return "npm cannot reach its registry. Check the network, or npm's proxy settings.";
  }
  if (/EACCES|EPERM/.test(output)) return 'Your user may not write here. Check the owner of the folder.';
  return 'The lines above are the output of npm.';
}
